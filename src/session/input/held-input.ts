/**
 * Input that the terminal has accepted and the program may not have read yet. The kernel does not report all of it, so
 * limpet remembers what it wrote since the terminal was last empty.
 */
import type { UnreadInput } from "../../pty/typed-input.ts";

/** Called with the number of bytes of a write that an interrupt key discarded. */
export type OnDiscarded = (bytes: number) => void;

interface Piece {
  bytes: number;
  readonly onDiscarded: OnDiscarded | undefined;
}

/** How much the kernel can hold outside of the buffer that it reports: 8 KiB, in pages that may not be full. */
const MOST_OUTSIDE_BYTES = 16 * 1024;
/** Within this time, a kernel thread has moved written bytes to the buffer that is reported. */
const SETTLED_MS = 50;

export class HeldInput {
  /** In the order of the writes: the program reads the first one first. */
  #pieces: Piece[] = [];
  #lastMs = Number.NEGATIVE_INFINITY;

  /** Call when the terminal has accepted bytes. */
  add(bytes: number, onDiscarded: OnDiscarded | undefined): void {
    this.#lastMs = performance.now();
    const last = this.#pieces.at(-1);
    if (last && last.onDiscarded === onDiscarded) last.bytes += bytes;
    else this.#pieces.push({ bytes, onDiscarded });
  }

  /** How much the program has not read; exact unless it started to read a full terminal. */
  unreadBytes(seen: UnreadInput): number {
    const written = this.#pieces.reduce((sum, piece) => sum + piece.bytes, 0);
    // Lines that limpet types into a shell do not pass through the queue and are not counted.
    const isAll = seen.bytes === 0 || (seen.isExact && performance.now() - this.#lastMs >= SETTLED_MS);
    const unread = Math.min(written, isAll ? seen.bytes : seen.bytes + MOST_OUTSIDE_BYTES);
    this.#forget(written - unread);
    return unread;
  }

  /** Call when the terminal was emptied. Reports to each write how much of it the program never read. */
  discard(seen: UnreadInput): number {
    const bytes = this.unreadBytes(seen);
    for (const piece of this.#pieces.splice(0)) piece.onDiscarded?.(piece.bytes);
    return bytes;
  }

  /** The program has read this many bytes. */
  #forget(bytes: number): void {
    let left = bytes;
    while (left > 0) {
      const [first] = this.#pieces;
      if (!first) return;
      const part = Math.min(left, first.bytes);
      first.bytes -= part;
      left -= part;
      if (first.bytes === 0) this.#pieces.shift();
    }
  }
}
