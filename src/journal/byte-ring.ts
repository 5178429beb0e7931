/** The latest bytes of a stream, up to a limit. It grows as it fills, so that a quiet session needs little memory. */
import { maskBytes } from "./redaction/redaction.ts";

const FIRST_BYTES = 4096;

export class ByteRing {
  readonly #maxBytes: number;
  #buffer: Uint8Array = new Uint8Array(0);
  /** The total number of bytes ever appended: the cursor of the next one. */
  #end = 0;
  #start = 0;

  constructor(maxBytes: number, start: number) {
    this.#maxBytes = maxBytes;
    this.#start = start;
    this.#end = start;
  }

  /** The cursor of the oldest byte kept. */
  get start(): number {
    return this.#start;
  }

  get end(): number {
    return this.#end;
  }

  append(bytes: Uint8Array): void {
    const end = this.#end + bytes.length;
    this.#makeRoom(Math.min(end - this.#start, this.#maxBytes));
    this.#end = end;
    this.#start = Math.max(this.#start, end - this.#maxBytes);
    const kept = bytes.subarray(Math.max(0, bytes.length - this.#maxBytes));
    if (kept.length === 0) return;
    const at = (end - kept.length) % this.#buffer.length;
    const first = Math.min(kept.length, this.#buffer.length - at);
    this.#buffer.set(kept.subarray(0, first), at);
    this.#buffer.set(kept.subarray(first), 0);
  }

  /** Returns a copy. `from` and `to` must be within what is kept. */
  copy(from: number, to: number): Uint8Array {
    const out = new Uint8Array(to - from);
    if (out.length === 0) return out;
    const at = from % this.#buffer.length;
    const first = Math.min(out.length, this.#buffer.length - at);
    out.set(this.#buffer.subarray(at, at + first), 0);
    out.set(this.#buffer.subarray(0, out.length - first), first);
    return out;
  }

  /** Masks what is kept of the range. */
  mask(from: number, to: number): void {
    const [start, end] = [Math.max(from, this.#start), Math.min(to, this.#end)];
    if (start >= end) return;
    const at = start % this.#buffer.length;
    const first = Math.min(end - start, this.#buffer.length - at);
    maskBytes(this.#buffer, at, at + first);
    maskBytes(this.#buffer, 0, end - start - first);
  }

  /** The position of a byte depends on the buffer's length, so growing moves all bytes. */
  #makeRoom(needed: number): void {
    if (needed <= this.#buffer.length) return;
    let size = Math.max(this.#buffer.length, FIRST_BYTES);
    while (size < needed) size *= 2;
    const grown = new Uint8Array(Math.min(size, this.#maxBytes));
    for (let cursor = this.#start; cursor < this.#end; ) {
      const at = cursor % this.#buffer.length;
      const to = cursor % grown.length;
      const run = Math.min(this.#end - cursor, this.#buffer.length - at, grown.length - to);
      grown.set(this.#buffer.subarray(at, at + run), to);
      cursor += run;
    }
    this.#buffer = grown;
  }
}
