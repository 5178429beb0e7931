/**
 * Pauses the program when its readers fall behind, in sessions with `onFlood: "block"`. So no byte is dropped before
 * every reader has read it. In other sessions, the oldest bytes are dropped and counted.
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

  /** Call when a reader that did not join has read a page. It counts only if it left no gap. */
  seen(from: Cursor, next: Cursor): void {
    if (from <= this.#furthest) this.#furthest = Math.max(this.#furthest, next);
  }

  /** Call after output was added and after a reader has read. */
  update(end: Cursor): void {
    const isBehind = end - this.#slowest(end) > this.#maxUnreadBytes;
    if (isBehind === this.#isPaused) return;
    this.#isPaused = isBehind;
    if (isBehind) this.#channel.pause();
    else this.#channel.resume();
  }

  /** Without readers, the output that the last reader had not read is kept for the next one. */
  #slowest(end: Cursor): Cursor {
    // A reader ahead of the end has not read what is before its cursor, but does not need it either.
    const cursors = [...this.#readers].map(({ cursor }) => Math.min(cursor, end));
    this.#furthest = Math.max(this.#furthest, ...cursors);
    return cursors.length > 0 ? Math.min(...cursors) : this.#furthest;
  }
}
