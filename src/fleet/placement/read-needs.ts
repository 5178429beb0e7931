import { requireImage } from "../../places/container/image-words.ts";

/** What a session needs from its host. */
export interface SessionNeeds {
  /** An expression of labels. Undefined: any host. */
  readonly labels: string | undefined;
  /** An image that the programs use. Hosts that already have it are preferred. */
  readonly image: string | undefined;
}

const NEEDS = /^(.*?)(?:(?:^|,)image:([^,\s]+))?$/s;

/** Reads `gpu && zone=a,image:debian:12`. Each part is optional. Pure. */
export function readNeeds(text: string | undefined): SessionNeeds {
  if (text === undefined) return { labels: undefined, image: undefined };
  const [, labels = "", image] = NEEDS.exec(text) ?? [];
  const isOnlyImage = labels === "" && image !== undefined;
  return { labels: isOnlyImage ? undefined : labels, image: image === undefined ? undefined : requireImage(image) };
}
