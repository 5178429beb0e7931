/**
 * One CSI sequence, bounded: read byte by byte, and written again with no more numbers, and none larger, than means
 * anything on a screen of that size. A terminal carries `CSI 2147483647 b` out to the letter, which takes minutes.
 */

/** As many as a terminal keeps. */
const MOST_NUMBERS = 32;
/** Modes have numbers up to here. */
const LARGEST_MODE = 9_999;
/** Further than any row or column: a larger number means "as far as it goes". */
const LARGEST_NUMBER = 1_000;
const MOST_INTERMEDIATES = 2;

/** What the number counts, for sequences whose work grows with it: more than a screen of them is a screen of them. */
const COUNTS: Readonly<Record<string, "rows" | "cols" | "cells">> = {
  L: "rows",
  M: "rows",
  S: "rows",
  T: "rows",
  "@": "cols",
  P: "cols",
  X: "cols",
  I: "cols",
  Z: "cols",
  b: "cells",
  "'}": "cols",
  "'~": "cols",
  " @": "cols",
  " A": "cols",
};

import type { TerminalSize } from "../base/terminal-size.ts";
export class Csi {
  /** `?`, `>`, `=` or `<`; "" for none. */
  prefix = "";
  /** Intermediate bytes and the final one. */
  name = "";
  #numbers: number[] = [];
  /** `;` or `:` before each number but the first. */
  #separators = "";
  #isBroken = false;

  begin(): void {
    this.prefix = "";
    this.name = "";
    this.#numbers = [];
    this.#separators = "";
    this.#isBroken = false;
  }

  /** The number at `index`, or `fallback` where it is missing or 0. */
  number(index: number, fallback: number): number {
    const number = this.#numbers[index] ?? -1;
    return number > 0 ? number : fallback;
  }

  /** Takes a byte from 0x20 to 0x7e; true where it was the last of the sequence. */
  take(byte: number): boolean {
    if (byte >= 0x30 && byte <= 0x39) this.#addDigit(byte - 0x30);
    else if (byte === 0x3a || byte === 0x3b) this.#addSeparator(byte === 0x3a ? ":" : ";");
    else if (byte >= 0x40) return this.#end(byte);
    else if (byte >= 0x3c) this.#addPrefix(byte);
    else if (this.name.length < MOST_INTERMEDIATES) this.name += String.fromCharCode(byte);
    else this.#isBroken = true;
    return false;
  }

  /** As a terminal may get it; "" where no terminal would act on it. */
  encode(size: TerminalSize): string {
    if (this.#isBroken) return "";
    const most = this.#most(size);
    let text = "";
    for (let i = 0; i < this.#numbers.length; i++) {
      const number = this.#numbers[i] ?? -1;
      text += i === 0 ? "" : (this.#separators[i - 1] ?? ";");
      text += number < 0 ? "" : String(Math.min(number, most));
    }
    return `\x1b[${this.prefix}${text}${this.name}`;
  }

  /** Cells that carrying it out may touch, on top of what any sequence costs. */
  work(size: TerminalSize): number {
    const counts = this.prefix === "" ? COUNTS[this.name] : undefined;
    const times = Math.min(this.number(0, 1), this.#most(size));
    if (counts === "rows") return times * (size.cols + size.rows);
    if (counts === "cells") return times * 2;
    if (this.name === "J" || /^[hl]$|^!p$/.test(this.name)) return size.cols * size.rows;
    return counts === "cols" && this.name.length > 1 ? size.cols * size.rows : size.cols;
  }

  #most({ cols, rows }: TerminalSize): number {
    const counts = this.prefix === "" ? COUNTS[this.name] : undefined;
    if (counts === "rows") return rows;
    if (counts === "cols") return cols;
    return counts === undefined && this.prefix !== "" ? LARGEST_MODE : LARGEST_NUMBER;
  }

  #addDigit(digit: number): void {
    if (this.name !== "") this.#isBroken = true;
    if (this.#separators.length >= MOST_NUMBERS) return;
    if (this.#numbers.length === 0) this.#numbers.push(-1);
    const last = this.#numbers.length - 1;
    this.#numbers[last] = Math.min(Math.max(this.#numbers[last] ?? 0, 0) * 10 + digit, LARGEST_MODE);
  }

  #addSeparator(separator: string): void {
    if (this.name !== "") this.#isBroken = true;
    if (this.#separators.length >= MOST_NUMBERS) return;
    if (this.#numbers.length === 0) this.#numbers.push(-1);
    this.#separators += separator;
    if (this.#separators.length < MOST_NUMBERS) this.#numbers.push(-1);
  }

  #addPrefix(byte: number): void {
    if (this.prefix !== "" || this.#numbers.length > 0 || this.name !== "") this.#isBroken = true;
    this.prefix = String.fromCharCode(byte);
  }

  #end(byte: number): boolean {
    this.name += String.fromCharCode(byte);
    return true;
  }
}

/** Sequences that cost little whatever their numbers: movement, colours, erasing within a line. */
const IS_LIGHT: readonly boolean[] = Array.from({ length: 128 }, (_, byte) =>
  "ABCDEFGHKdefmrsu`a".includes(String.fromCharCode(byte)),
);
const LONGEST_LIGHT_BYTES = 64;

/** Where a short and harmless CSI sequence that begins at `at` ends; -1 for all others. Most of all output needs no more. */
export function lightEnd(bytes: Uint8Array, at: number): number {
  if (bytes[at + 1] !== 0x5b) return -1;
  if (bytes[at + 2] === 0x3f) return caretEnd(bytes, at + 3);
  const stop = Math.min(bytes.length, at + LONGEST_LIGHT_BYTES);
  let digits = 0;
  for (let i = at + 2; i < stop; i++) {
    const byte = bytes[i] ?? 0;
    if (byte >= 0x30 && byte <= 0x39) {
      digits++;
      if (digits > 3) return -1;
    } else if (byte === 0x3b || byte === 0x3a) digits = 0;
    else return IS_LIGHT[byte] ? i + 1 : -1;
  }
  return -1;
}

/** After `CSI ?`: the end of `25 h` and `25 l`, which come with every redraw. */
function caretEnd(bytes: Uint8Array, at: number): number {
  const isCaret = bytes[at] === 0x32 && bytes[at + 1] === 0x35 && (bytes[at + 2] === 0x68 || bytes[at + 2] === 0x6c);
  return isCaret ? at + 3 : -1;
}
