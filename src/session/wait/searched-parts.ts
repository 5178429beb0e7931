/**
 * Which parts of the output were searched for a pattern in vain. A search that goes on where one of them ends may find a match that
 * begins in it: "REA" was there when a wait reached its deadline, "DY" came in the next.
 */

/** Several callers may wait at once, each at a place of its own. */
const MOST_PARTS = 16;

import type { Cursor } from "../../base/cursor.ts";
export class SearchedParts {
  readonly #startByEnd = new Map<Cursor, Cursor>();

  note(from: Cursor, to: Cursor): void {
    this.#startByEnd.delete(to);
    this.#startByEnd.set(to, from);
    const [oldest] = this.#startByEnd.keys();
    if (oldest !== undefined && this.#startByEnd.size > MOST_PARTS) this.#startByEnd.delete(oldest);
  }

  /** Where the part that ends at `end` began; `end` itself where there is none. */
  startOf(end: Cursor): Cursor {
    return this.#startByEnd.get(end) ?? end;
  }
}
