import { requireImage } from "../../places/container/image-words.ts";

/** What a session needs of its host. */
export interface SessionNeeds {
  /** An expression of labels; undefined: any host will do. */
  readonly labels: string | undefined;
  /** An image that its programs use: hosts that have it already come first. */
  readonly image: string | undefined;
}

const NEEDS = /^(.*?)(?:(?:^|,)image:([^,\s]+))?$/s;

/** Reads `gpu && zone=a,image:debian:12`, each part of which can be missing. Pure. */
export function readNeeds(text: string | undefined): SessionNeeds {
  if (text === undefined) return { labels: undefined, image: undefined };
  const [, labels = "", image] = NEEDS.exec(text) ?? [];
  const isOnlyImage = labels === "" && image !== undefined;
  return { labels: isOnlyImage ? undefined : labels, image: image === undefined ? undefined : requireImage(image) };
}
