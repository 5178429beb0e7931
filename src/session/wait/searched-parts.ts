/**
 * Which parts of the output were searched for a pattern in vain. A search that goes on where one of them ends may find a match that
 * begins in it: "REA" was there when a wait reached its deadline, "DY" came in the next.
 */
import { BoundedMap } from "../../base/bounded-map.ts";
import type { Cursor } from "../../base/cursor.ts";

/** Several callers may wait at once, each at a cursor of its own. */
const MOST_PARTS = 16;

export class SearchedParts {
  readonly #startByEnd = new BoundedMap<Cursor, Cursor>(MOST_PARTS);

  note(from: Cursor, to: Cursor): void {
    this.#startByEnd.set(to, from);
  }

  /** Where the part that ends at `end` began; `end` itself where there is none. */
  startOf(end: Cursor): Cursor {
    return this.#startByEnd.get(end) ?? end;
  }
}
