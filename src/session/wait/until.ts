/**
 * Searches for a pattern in the clean text of what the program prints, as it comes.
 *
 * The pattern sees text as a person would: without control sequences, redrawn lines in their last state, whatever the
 * borders of the chunks. Text that was searched is forgotten but for its end, so a match can be at most `CARRY` long.
 */
import type { Cursor } from "../../base/cursor.ts";
import type { TerminalSize } from "../../base/terminal-size.ts";
import { Cleaner } from "../../text/clean/cleaner.ts";
import { compilePattern, type Pattern, type PatternMatch } from "../../text/search/pattern.ts";
import { matchEnd, openLineOf } from "./match-end.ts";

/** Longer than any line that somebody waits for, short enough to search again with each chunk. */
export const CARRY = 4096;
const NOTHING = new Uint8Array(0);
/** A pattern may take this long over one piece; one that takes longer gets smaller pieces, and carries less. */
const SLOW_MS = 8;
const QUICK_MS = 2;
const SMALLEST_PIECE = 64;
/** Of a pattern that may be slow, so much is searched again in the next call. */
const SMALL_RECALL = 512;

export class Until {
  readonly #pattern: Pattern;
  readonly #size: TerminalSize | undefined;
  #cleaner: Cleaner;
  #openLine: Uint8Array = NOTHING;
  #cursor: Cursor;
  #carry = "";
  #mostCarried = CARRY;
  #pieceBytes: number;
  /** So much of the carry is from before the search began: a match may begin there, but not end there. */
  #oldChars = 0;

  constructor(pattern: string | RegExp, start: Cursor, size?: TerminalSize) {
    this.#size = size;
    this.#cleaner = new Cleaner(size);
    this.#pattern = compilePattern(pattern);
    this.#cursor = start;
    this.#pieceBytes = this.#pattern.engine === "native" ? CARRY : SMALLEST_PIECE;
  }

  /** How many bytes to search at once, so that no pattern holds the loop up. */
  get pieceBytes(): number {
    return this.#pieceBytes;
  }

  /** The journal has been searched up to here; after a match, that is where the match ends. */
  get cursor(): Cursor {
    return this.#cursor;
  }

  /** Text that an earlier search has been through without a match, right before this one begins. */
  recall(bytes: Uint8Array): void {
    this.#take(this.#pattern.engine === "native" ? bytes : bytes.subarray(-SMALL_RECALL));
    this.#oldChars = this.#carry.length;
  }

  search(bytes: Uint8Array): PatternMatch | undefined {
    const openLine = this.#openLine;
    const text = this.#take(bytes);
    const startedMs = cpuMs();
    const match = firstEndingAfter(this.#pattern, text, this.#oldChars);
    this.#adapt(cpuMs() - startedMs);
    this.#oldChars = Math.max(0, this.#oldChars - (text.length - this.#carry.length));
    const after = match && text.slice(match.index + match.text.length);
    this.#cursor += after ? matchEnd(openLine, bytes, after) : bytes.length;
    return match;
  }

  /** Bytes that are kept nowhere any more cannot be searched, and what lies around them does not belong together. */
  skip(bytes: number): void {
    if (bytes === 0) return;
    this.#cursor += bytes;
    this.#cleaner = new Cleaner(this.#size);
    this.#openLine = NOTHING;
    this.#carry = "";
    this.#oldChars = 0;
  }

  /** What was carried, and what the bytes add to it. */
  #take(bytes: Uint8Array): string {
    this.#cleaner.push(bytes);
    const text = this.#carry + this.#cleaner.take().text;
    this.#openLine = openLineOf(this.#openLine, bytes, CARRY);
    this.#carry = text.slice(-this.#mostCarried);
    return text;
  }

  /** How long a pattern takes is seen only when it is searched for: pieces begin small and grow while it is quick. */
  #adapt(tookMs: number): void {
    if (tookMs > SLOW_MS) {
      this.#pieceBytes = Math.max(SMALLEST_PIECE, this.#pieceBytes >> 2);
      this.#mostCarried = Math.max(SMALLEST_PIECE, Math.min(this.#mostCarried, this.#carry.length) >> 2);
      this.#carry = this.#carry.slice(-this.#mostCarried);
    } else if (tookMs < QUICK_MS) this.#pieceBytes = Math.min(CARRY, this.#pieceBytes * 2);
  }
}

/** Time on a processor: a busy machine must not make a quick pattern look slow, which would forget text that it needs. */
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
