import { shortCsiEnd } from "../../escape/short-csi-end.ts";
import { incompleteTail } from "../incomplete-tail.ts";

/**
 * Collects text bytes to decode them in bulk, without colours and without the carriage returns before line feeds.
 * Decoding thousands of bytes at once is what makes plain output cheap.
 */
const ESC = 0x1b;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const TAB = 0x09;
const DELETE = 0x7f;
const SGR = 0x6d;
const CAPACITY = 32 * 1024;
/** Room kept free for a replacement character or a control in caret notation. */
const RESERVE = 16;
/**
 * The buffer that all runs share. One run at a time owns it: each is decoded before the next begins, except for half a
 * character. There may be thousands of idle readers, one for each caller and session; a buffer for each would be most
 * of the memory of a host.
 */
const buffer = Buffer.allocUnsafe(CAPACITY);
let owner: TextRun | undefined;

export class TextRun {
  /** Its bytes, while another run owns the buffer. */
  #saved: Uint8Array | undefined;
  #filled = 0;
  /** The bitwise OR of all bytes: it shows whether the run is pure ASCII. */
  #bits = 0;
  /** The position after the last line feed that `fill` took, in the bytes that it got; -1 if it took none. */
  lineStart = -1;
  /** The same for the first line feed. */
  firstLineStart = -1;

  get isEmpty(): boolean {
    return this.#filled === 0;
  }

  get isFull(): boolean {
    return this.#filled >= CAPACITY - RESERVE;
  }

  /** Bytes at the end that are the beginning of a character. */
  get openBytes(): number {
    if (this.isEmpty) return 0;
    this.#takeBuffer();
    return incompleteTail(buffer, this.#filled);
  }

  /**
   * Takes text from `at` on and returns where it stopped: at the end of the bytes, when full, or before a byte to act
   * on. Line feeds and tabs are text only if text is appended.
   */
  fill(bytes: Uint8Array, at: number, isAppending: boolean): number {
    this.#takeBuffer();
    const run = buffer;
    let filled = this.#filled;
    let bits = this.#bits;
    let lineStart = -1;
    let firstLineStart = -1;
    let i = at;
    const end = bytes.length;
    while (i < end && filled < CAPACITY - RESERVE) {
      const byte = bytes[i] as number;
      if (byte >= 0x20 && byte !== DELETE) {
        const stop = Math.min(end, i + CAPACITY - RESERVE - filled);
        let to = i;
        for (let next = byte; ; ) {
          bits |= next;
          to++;
          if (to === stop) break;
          next = bytes[to] as number;
          if (next < 0x20) {
            if (next !== LINE_FEED || !isAppending) break;
            lineStart = to + 1;
            if (firstLineStart === -1) firstLineStart = lineStart;
          } else if (next === DELETE) break;
        }
        // The call costs as much as copying about thirty bytes one by one.
        if (to - i > 32) run.set(bytes.subarray(i, to), filled);
        else for (let k = i; k < to; k++) run[filled + k - i] = bytes[k] as number;
        filled += to - i;
        i = to;
      } else if (byte === ESC) {
        const after = shortCsiEnd(bytes, i);
        if (after === -1 || bytes[after - 1] !== SGR || incompleteTail(run, filled) > 0) break;
        i = after;
      } else if (!isAppending) break;
      else if (byte === CARRIAGE_RETURN && bytes[i + 1] === LINE_FEED) i++;
      else if (byte === LINE_FEED || byte === TAB) {
        run[filled++] = byte;
        i++;
        if (byte === LINE_FEED) {
          lineStart = i;
          if (firstLineStart === -1) firstLineStart = i;
        }
      } else break;
    }
    this.#filled = filled;
    this.#bits = bits;
    this.lineStart = lineStart;
    this.firstLineStart = firstLineStart;
    return i;
  }

  addAscii(text: string): void {
    this.#takeBuffer();
    this.#filled += buffer.write(text, this.#filled, "latin1");
  }

  /** Half a character that will not be completed becomes U+FFFD. */
  seal(): void {
    const open = this.openBytes;
    if (open === 0) return;
    this.#filled -= open;
    this.#filled += buffer.write("\ufffd", this.#filled);
  }

  /** Takes back the beginning of a character at the end. */
  takeOpenBytes(): Uint8Array {
    const open = this.openBytes;
    this.#filled -= open;
    return Uint8Array.from(buffer.subarray(this.#filled, this.#filled + open));
  }

  /** The text without the last `held` bytes, which stay. */
  takeText(held: number): { readonly text: string; readonly isAscii: boolean } {
    this.#takeBuffer();
    const end = this.#filled - held;
    const isAscii = this.#bits < 0x80;
    const text = buffer.toString(isAscii ? "latin1" : "utf8", 0, end);
    if (held > 0) buffer.copyWithin(0, end, this.#filled);
    this.#filled = held;
    this.#bits = held > 0 ? 0x80 : 0;
    return { text, isAscii };
  }

  #takeBuffer(): void {
    if (owner === this) return;
    if (owner) owner.#saveBytes();
    owner = this;
    if (this.#saved) buffer.set(this.#saved);
    this.#saved = undefined;
  }

  #saveBytes(): void {
    this.#saved = this.#filled > 0 ? Uint8Array.from(buffer.subarray(0, this.#filled)) : undefined;
  }
}
