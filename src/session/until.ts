/**
 * Looks for a pattern in the clean text of what the program prints, as it comes.
 *
 * The pattern sees text as a person would: without control sequences, redrawn lines in their last state, whatever the
 * borders of the chunks. Text that was searched is forgotten but for its end, so a match can be at most `CARRY` long.
 */
import { Cleaner } from "../output/clean.ts";
import { compilePattern, type Pattern, type PatternMatch } from "../output/pattern.ts";
import type { TerminalSize } from "../pty/open-pty.ts";
import type { Cursor } from "./journal.ts";

/** Longer than any line that somebody waits for, short enough to search again with each chunk. */
const CARRY = 4096;

export class Until {
  readonly #pattern: Pattern;
  readonly #cleaner: Cleaner;
  readonly #start: Cursor;
  #carry = "";
  #skipped = 0;

  constructor(pattern: string | RegExp, start: Cursor, size?: TerminalSize) {
    this.#cleaner = new Cleaner(size);
    this.#pattern = compilePattern(pattern);
    this.#start = start;
  }

  /** The journal has been searched up to here. */
  get cursor(): Cursor {
    return this.#start + this.#skipped + this.#cleaner.cursor;
  }

  search(bytes: Uint8Array): PatternMatch | undefined {
    this.#cleaner.push(bytes);
    const text = this.#carry + this.#cleaner.take().text;
    this.#carry = text.slice(-CARRY);
    return this.#pattern.exec(text) ?? undefined;
  }

  /** Bytes that are kept nowhere any more cannot be searched. */
  skip(bytes: number): void {
    this.#skipped += bytes;
  }
}
