/**
 * Holds the program up when its readers fall behind, for sessions that ask for that: then no byte is dropped that
 * a reader has not seen. Without it, the oldest bytes make room and are counted.
 */
import type { Cursor } from "../base/cursor.ts";
import type { Channel } from "../transport/transport.ts";

export interface Reader {
  readonly cursor: Cursor;
}

export class Flow {
  readonly #channel: Pick<Channel, "pause" | "resume">;
  readonly #maxUnreadBytes: number;
  readonly #readers = new Set<Reader>();
  #furthest: Cursor = 0;
  #isPaused = false;

  constructor(channel: Pick<Channel, "pause" | "resume">, maxUnreadBytes: number) {
    this.#channel = channel;
    this.#maxUnreadBytes = maxUnreadBytes;
  }

  join(reader: Reader): void {
    this.#readers.add(reader);
  }

  leave(reader: Reader): void {
    this.#readers.delete(reader);
  }

  /** Somebody who did not join has read a piece. It counts when nothing before it was left out. */
  seen(from: Cursor, next: Cursor): void {
    if (from <= this.#furthest) this.#furthest = Math.max(this.#furthest, next);
  }

  /** Call when output was added and when a reader has read. */
  update(end: Cursor): void {
    const isBehind = end - this.#slowest(end) > this.#maxUnreadBytes;
    if (isBehind === this.#isPaused) return;
    this.#isPaused = isBehind;
    if (isBehind) this.#channel.pause();
    else this.#channel.resume();
  }

  /** With nobody reading, what the last reader had not seen is kept for the next one. */
  #slowest(end: Cursor): Cursor {
    // One that waits for a cursor to come has not seen what lies before it, but does not want it either.
    const cursors = [...this.#readers].map(({ cursor }) => Math.min(cursor, end));
    this.#furthest = Math.max(this.#furthest, ...cursors);
    return cursors.length > 0 ? Math.min(...cursors) : this.#furthest;
  }
}
