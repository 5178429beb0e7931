import { shortCsiEnd } from "../escape/short-csi-end.ts";
import { incompleteTail } from "./incomplete-tail.ts";

/**
 * Text bytes on their way to be decoded, with colours and the returns before line feeds already left out. One decoding
 * per thousands of bytes is what makes plain output cheap.
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
 * Where runs are collected, one at a time: each is decoded before the next begins, but for half a character. Of readers who
 * rest there are thousands, one for each caller and session, and a desk for each would be most of what a host needs.
 */
const desk = Buffer.allocUnsafe(CAPACITY);
let atDesk: TextRun | undefined;

export class TextRun {
  /** What it took with it from the desk. */
  #carried: Uint8Array | undefined;
  #filled = 0;
  /** All bits of the bytes, so that pure ASCII is known without another look. */
  #bits = 0;
  /** Behind the last line feed that `fill` took, in the bytes it was given; -1 where it took none. */
  lineStart = -1;

  get isEmpty(): boolean {
    return this.#filled === 0;
  }

  get isFull(): boolean {
    return this.#filled >= CAPACITY - RESERVE;
  }

  /** Bytes at the end that are the beginning of a character. */
  get openBytes(): number {
    if (this.isEmpty) return 0;
    this.#sitDown();
    return incompleteTail(desk, this.#filled);
  }

  /**
   * Takes text from `at` on and says where it stopped: at the end of the bytes, when full, or before a byte to be acted
   * on. Line feeds and tabs are text only where text is appended.
   */
  fill(bytes: Uint8Array, at: number, isAppending: boolean): number {
    this.#sitDown();
    const run = desk;
    let filled = this.#filled;
    let bits = this.#bits;
    let lineStart = -1;
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
          } else if (next === DELETE) break;
        }
        // A call costs as much as copying some thirty bytes one by one.
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
        if (byte === LINE_FEED) lineStart = i;
      } else break;
    }
    this.#filled = filled;
    this.#bits = bits;
    this.lineStart = lineStart;
    return i;
  }

  addAscii(text: string): void {
    this.#sitDown();
    this.#filled += desk.write(text, this.#filled, "latin1");
  }

  /** Half a character that will not be completed becomes U+FFFD. */
  seal(): void {
    const open = this.openBytes;
    if (open === 0) return;
    this.#filled -= open;
    this.#filled += desk.write("\ufffd", this.#filled);
  }

  /** The text, but for the last `held` bytes, which stay. */
  takeText(held: number): { readonly text: string; readonly isAscii: boolean } {
    this.#sitDown();
    const end = this.#filled - held;
    const isAscii = this.#bits < 0x80;
    const text = desk.toString(isAscii ? "latin1" : "utf8", 0, end);
    if (held > 0) desk.copyWithin(0, end, this.#filled);
    this.#filled = held;
    this.#bits = held > 0 ? 0x80 : 0;
    return { text, isAscii };
  }

  #sitDown(): void {
    if (atDesk === this) return;
    if (atDesk) atDesk.#leave();
    atDesk = this;
    if (this.#carried) desk.set(this.#carried);
    this.#carried = undefined;
  }

  #leave(): void {
    this.#carried = this.#filled > 0 ? Uint8Array.from(desk.subarray(0, this.#filled)) : undefined;
  }
}
