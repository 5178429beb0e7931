/**
 * Searches for a pattern in the clean text of the output, as it arrives.
 *
 * The pattern matches text as a person would see it: without control sequences, with redrawn lines in their last state,
 * and across chunk boundaries. Of the searched text only the end is kept, so a match is at most `CARRY` characters
 * long.
 */
import type { Cursor } from "../../base/cursor.ts";
import type { TerminalSize } from "../../base/terminal-size.ts";
import { Cleaner } from "../../text/clean/cleaner.ts";
import { compilePattern, type Pattern, type PatternMatch } from "../../text/search/pattern.ts";
import { matchEnd, openLineOf } from "./match-end.ts";

/** Longer than any line that a caller waits for, short enough to search again with each chunk. */
export const CARRY = 4096;
const NOTHING = new Uint8Array(0);
/** A pattern may take this long per piece. A slower one gets smaller pieces and keeps less text. */
const SLOW_MS = 8;
const QUICK_MS = 2;
const SMALLEST_PIECE = 64;
/** For a pattern that may be slow, how much text the next call searches again. */
const SMALL_RECALL = 512;

export class Until {
  readonly #pattern: Pattern;
  readonly #size: TerminalSize | undefined;
  readonly #clock: () => number;
  #cleaner: Cleaner;
  #openLine: Uint8Array = NOTHING;
  #cursor: Cursor;
  #carry = "";
  #mostCarried = CARRY;
  #pieceBytes: number;
  /** How much of the kept text is from before the search started: a match may begin there, but not end there. */
  #oldChars = 0;

  constructor(pattern: string | RegExp, start: Cursor, size?: TerminalSize, clock: () => number = cpuMs) {
    this.#size = size;
    this.#clock = clock;
    this.#cleaner = new Cleaner(size);
    this.#pattern = compilePattern(pattern);
    this.#cursor = start;
    this.#pieceBytes = this.#pattern.engine === "native" ? CARRY : SMALLEST_PIECE;
  }

  /** How many bytes to search at once, so that no pattern blocks the event loop. */
  get pieceBytes(): number {
    return this.#pieceBytes;
  }

  /** The cursor up to which output was searched; after a match, the end of the match. */
  get cursor(): Cursor {
    return this.#cursor;
  }

  /** Adds text right before the start of this search, in which an earlier search found no match. */
  recall(bytes: Uint8Array): void {
    this.#take(this.#pattern.engine === "native" ? bytes : bytes.subarray(-SMALL_RECALL));
    this.#oldChars = this.#carry.length;
  }

  search(bytes: Uint8Array): PatternMatch | undefined {
    const openLine = this.#openLine;
    const text = this.#take(bytes);
    const startedMs = this.#clock();
    const match = firstEndingAfter(this.#pattern, text, this.#oldChars);
    this.#adapt(this.#clock() - startedMs);
    this.#oldChars = Math.max(0, this.#oldChars - (text.length - this.#carry.length));
    const after = match && text.slice(match.index + match.text.length);
    this.#cursor += after ? matchEnd(openLine, bytes, after) : bytes.length;
    return match;
  }

  /** Skips bytes that are not kept. Text before and after the gap cannot form one match. */
  skip(bytes: number): void {
    if (bytes === 0) return;
    this.#cursor += bytes;
    this.#cleaner = new Cleaner(this.#size);
    this.#openLine = NOTHING;
    this.#carry = "";
    this.#oldChars = 0;
  }

  /** The kept text, plus what the bytes add to it. */
  #take(bytes: Uint8Array): string {
    this.#cleaner.push(bytes);
    const text = this.#carry + this.#cleaner.take().text;
    this.#openLine = openLineOf(this.#openLine, bytes, CARRY);
    this.#carry = text.slice(-this.#mostCarried);
    return text;
  }

  /** The speed of a pattern is only known from searching: pieces start small and grow while it is fast. */
  #adapt(tookMs: number): void {
    if (tookMs > SLOW_MS) {
      this.#pieceBytes = Math.max(SMALLEST_PIECE, this.#pieceBytes >> 2);
      this.#mostCarried = Math.max(SMALLEST_PIECE, Math.min(this.#mostCarried, this.#carry.length) >> 2);
      this.#carry = this.#carry.slice(-this.#mostCarried);
    } else if (tookMs < QUICK_MS) this.#pieceBytes = Math.min(CARRY, this.#pieceBytes * 2);
  }
}

/**
 * Processor time: on a busy machine, wall-clock time would make a fast pattern seem slow and drop text that it needs.
 */
function cpuMs(): number {
  return process.cpuUsage().user / 1_000;
}

function firstEndingAfter(pattern: Pattern, text: string, oldChars: number): PatternMatch | undefined {
  let from = 0;
  for (;;) {
    const match = pattern.exec(from === 0 ? text : text.slice(from));
    if (!match) return undefined;
    const index = from + match.index;
    if (oldChars === 0 || index + match.text.length > oldChars) return { ...match, index };
    from = index + 1;
  }
}
