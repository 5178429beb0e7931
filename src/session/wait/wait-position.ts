/**
 * The position of a session object's owner: where its next wait starts, and how many finished commands it knows of.
 * Used only by waits that do not pass their own.
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

  /** Never moves back. */
  advance(cursor: Cursor): void {
    this.#cursor = Math.max(this.#cursor, cursor);
  }

  /** Never decreases. */
  learnFinishes(count: number): void {
    this.#finishesKnown = Math.max(this.#finishesKnown, count);
  }
}
