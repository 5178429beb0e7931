/** Where the next wait on a session begins that does not say where. Every session object has one, for whoever holds it. */
import type { Cursor } from "../../base/cursor.ts";

export class WaitPosition {
  #cursor: Cursor = 0;

  get cursor(): Cursor {
    return this.#cursor;
  }

  /** Never goes back. */
  advance(cursor: Cursor): void {
    this.#cursor = Math.max(this.#cursor, cursor);
  }
}
