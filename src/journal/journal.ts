/**
 * The output of the program, in order, as far as memory allows: the beginning and the latest part.
 *
 * Positions are absolute: byte 0 is the first byte the session ever wrote, and keeps that number after it was dropped.
 * So a reader can always find out how much it missed.
 */
import type { Cursor, Page } from "../base/cursor.ts";
import { JOURNAL_HEAD_BYTES } from "../base/limits.ts";
import type { Origin } from "../transport/transport.ts";
import { ByteRing } from "./byte-ring.ts";
import { Origins, type Span } from "./origins.ts";

export class Journal {
  readonly #headBytes: number;
  readonly #head: ByteRing;
  readonly #tail: ByteRing;
  readonly #origins = new Origins();

  /** Everything before `from` counts as dropped: memory does not have it, the disk may. */
  constructor(maxBytes: number, from: Cursor = 0) {
    this.#headBytes = from > 0 ? 0 : Math.min(JOURNAL_HEAD_BYTES, Math.floor(maxBytes / 2));
    this.#head = new ByteRing(this.#headBytes, 0);
    this.#tail = new ByteRing(maxBytes - this.#headBytes, Math.max(from, this.#headBytes));
  }

  /** The cursor of the next byte, which equals the number of bytes ever written. */
  get end(): Cursor {
    return this.#head.end < this.#headBytes ? this.#head.end : this.#tail.end;
  }

  /** The range that memory has dropped; empty if nothing was dropped. */
  get gap(): { readonly from: Cursor; readonly to: Cursor } {
    return { from: this.#headBytes, to: this.#tail.start };
  }

  append(bytes: Uint8Array, origin: Origin): void {
    this.#origins.note(this.end, origin);
    const room = this.#headBytes - this.#head.end;
    if (room > 0) this.#head.append(bytes.subarray(0, room));
    if (bytes.length > room) this.#tail.append(bytes.subarray(room));
  }

  /** Never waits. A cursor beyond the end reads nothing and continues at the end. */
  read(from: Cursor, maxBytes: number): Page {
    const isInHead = from < this.#head.end || this.#head.end < this.#headBytes;
    const ring = isInHead ? this.#head : this.#tail;
    const start = Math.min(Math.max(from, ring.start), this.end);
    const next = Math.max(start, Math.min(start + maxBytes, ring.end));
    return { bytes: ring.copy(start, next), from: start, next, dropped: Math.max(0, start - from) };
  }

  /** Masks what memory holds of the range. */
  mask(from: Cursor, to: Cursor): void {
    this.#head.mask(from, Math.min(to, this.#headBytes));
    this.#tail.mask(Math.max(from, this.#headBytes), to);
  }

  /** Records that output from `at` on came from this stream. */
  noteOrigin(at: Cursor, origin: Origin): void {
    this.#origins.note(at, origin);
  }

  /** The stream that each part of `[from, to)` came from. */
  spans(from: Cursor, to: Cursor): Span[] {
    return this.#origins.spans(from, to);
  }
}
