/** `PLACE:PATH`: a file at a place. Pure. */
import { LimpetError } from "../../base/limpet-error.ts";

export interface PlacePath {
  /** The name or the address of a place. */
  readonly place: string;
  /** The path at the place. Empty: the home directory. */
  readonly path: string;
}

/** An address itself contains a colon. The host of ssh may be an IPv6 address in brackets. */
const PLACE_PATH = /^((?:ssh|docker|podman):(?:\[[^\]]*\]|[^:[\]/])+|[^:/[\]]+):(.*)$/s;

/** Undefined for text without a place, such as the path of a local file. */
export function parsePlacePath(text: string): PlacePath | undefined {
  const [, place, path = ""] = PLACE_PATH.exec(text) ?? [];
  return place === undefined ? undefined : { place, path };
}

export function requirePlacePath(text: string): PlacePath {
  const found = parsePlacePath(text);
  if (found) return found;
  throw new LimpetError(
    "BAD_OPTION",
    `${JSON.stringify(text)} does not name a place. Use PLACE:PATH, such as build:notes.txt.`,
  );
}
