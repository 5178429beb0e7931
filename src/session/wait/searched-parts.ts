/**
 * Remembers which parts of the output were searched without a match. A search that continues at the end of such a part
 * can find a match that begins in it: "REA" was there when a wait reached its deadline, "DY" arrived in the next.
 */
import { BoundedMap } from "../../base/bounded-map.ts";
import type { Cursor } from "../../base/cursor.ts";

/** Several callers may wait at once, each at its own cursor. */
const MOST_PARTS = 16;

export class SearchedParts {
  readonly #startByEnd = new BoundedMap<Cursor, Cursor>(MOST_PARTS);

  note(from: Cursor, to: Cursor): void {
    this.#startByEnd.set(to, from);
  }

  /** The start of the searched part that ends at `end`; `end` itself if there is none. */
  startOf(end: Cursor): Cursor {
    return this.#startByEnd.get(end) ?? end;
  }
}
