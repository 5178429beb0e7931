/**
 * What the holder of a session object knows of it: where its next wait begins, and how many finished commands it has heard of. Only
 * waits that do not say so themselves use it.
 */
import type { Cursor } from "../../base/cursor.ts";

export class WaitPosition {
  #cursor: Cursor = 0;
  #finishesKnown = 0;

  get cursor(): Cursor {
    return this.#cursor;
  }

  get finishesKnown(): number {
    return this.#finishesKnown;
  }

  /** Never goes back. */
  advance(cursor: Cursor): void {
    this.#cursor = Math.max(this.#cursor, cursor);
  }

  /** Never goes back. */
  learnFinishes(count: number): void {
    this.#finishesKnown = Math.max(this.#finishesKnown, count);
  }
}
