/** Finds the bytes of a stream that are not UTF-8. */
import { isUtf8 } from "node:buffer";
import { incompleteTail } from "../incomplete-tail.ts";

/** Checked at once: if a byte is broken, these are searched one by one. */
const BLOCK_BYTES = 4096;

export class Utf8Scan {
  /** Of the open character: its length so far, how much is missing, and the range of the next byte. */
  #open = 0;
  #missing = 0;
  #least = 0;
  #most = 0;

  /** Continues after these bytes. */
  restart(before: Uint8Array): void {
    this.#close();
    for (const byte of before.subarray(before.length - incompleteTail(before, before.length))) this.add(byte);
  }

  /**
   * The position of the first broken character from `at` on, or the end of the bytes. If the character began before
   * `at`, the position of the byte that breaks it. The next call continues there.
   */
  find(bytes: Uint8Array, at: number): number {
    let i = at;
    while (i < bytes.length) {
      if (this.#open === 0) i = validUntil(bytes, i);
      for (const stop = Math.min(bytes.length, i + BLOCK_BYTES); i < stop; i++) {
        const open = this.#open;
        if (this.add(bytes[i] as number)) {
          this.#close();
          return Math.max(at, i - open);
        }
      }
    }
    return i;
  }

  /** Reads one byte. Returns whether it is broken, or breaks the character before it. */
  add(byte: number): boolean {
    if (this.#missing > 0) {
      if (byte >= this.#least && byte <= this.#most) {
        this.#expect(this.#missing - 1, 0x80, 0xbf);
        return false;
      }
      this.#close();
      this.add(byte);
      return true;
    }
    if (byte < 0x80) return false;
    if (byte >= 0xc2 && byte <= 0xdf) this.#expect(1, 0x80, 0xbf);
    else if (byte >= 0xe0 && byte <= 0xef) this.#expect(2, byte === 0xe0 ? 0xa0 : 0x80, byte === 0xed ? 0x9f : 0xbf);
    else if (byte >= 0xf0 && byte <= 0xf4) this.#expect(3, byte === 0xf0 ? 0x90 : 0x80, byte === 0xf4 ? 0x8f : 0xbf);
    else return true;
    return false;
  }

  #expect(missing: number, least: number, most: number): void {
    this.#open = missing === 0 ? 0 : this.#open + 1;
    this.#missing = missing;
    this.#least = least;
    this.#most = most;
  }

  #close(): void {
    this.#open = 0;
    this.#missing = 0;
  }
}

/** Pure: a position up to which the bytes are whole characters, found in large steps. */
function validUntil(bytes: Uint8Array, at: number): number {
  let i = at;
  while (i < bytes.length) {
    const block = bytes.subarray(i, i + BLOCK_BYTES);
    const whole = block.length - incompleteTail(block, block.length);
    if (whole === 0 || !isUtf8(block.subarray(0, whole))) return i;
    i += whole;
  }
  return i;
}
