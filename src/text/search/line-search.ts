import { isAscii } from "node:buffer";
import { countLines, LINE_FEED, lineEnd, markBefore, onceEach, startOfLine, textOf } from "./byte-lines.ts";
import type { DroppedOutput, GrepLine, GrepOptions, GrepPiece, GrepResult } from "./grep.ts";
import type { Pattern } from "./pattern.ts";

/** A line longer than this is searched in parts, so that one line cannot fill the memory. */
const LONGEST_LINE_BYTES = 1024 * 1024;
const LINE_END = Buffer.of(LINE_FEED);

/** Whole lines, and the journal byte of each place in them. */
interface Region {
  readonly bytes: Buffer;
  readonly cursorAt: (byte: number) => number;
}

/**
 * Searches only the lines of a piece that can match: those with a text that every match contains, or those where the
 * pattern is found in the piece as a whole. All others are only counted.
 */
export class LineSearch {
  readonly #pattern: Pattern;
  readonly #literal: Buffer;
  readonly #options: Required<GrepOptions>;
  readonly #found: GrepLine[] = [];
  /** The last lines of the region before, for context. */
  #tail: GrepLine[] = [];
  #carry: Buffer[] = [];
  #carryBytes = 0;
  #carryCursor = 0;
  #next: number;
  #line = 1;
  #afterLeft = 0;
  #matches = 0;
  #totalMatches = 0;
  #droppedBytes = 0;

  constructor(pattern: Pattern, options: Required<GrepOptions>) {
    this.#pattern = pattern;
    this.#options = options;
    this.#literal = Buffer.from(pattern.literal);
    this.#next = options.from;
  }

  push(piece: GrepPiece): void {
    if ("droppedBytes" in piece) {
      this.#drop(piece);
      return;
    }
    let { bytes, cursorAt } = this.#regionOf(piece);
    const first = bytes.indexOf(LINE_FEED);
    const last = bytes.lastIndexOf(LINE_FEED);
    if (this.#carryBytes > 0 && first !== -1) {
      this.#keep(bytes.subarray(0, first + 1));
      this.#searchCarry();
      const rest = cursorAt;
      bytes = bytes.subarray(first + 1);
      cursorAt = (byte) => rest(byte + first + 1);
    }
    const end = last === -1 ? 0 : bytes.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) this.#search({ bytes: bytes.subarray(0, end), cursorAt });
    if (end === bytes.length) return;
    if (this.#carryBytes === 0) this.#carryCursor = cursorAt(end);
    this.#keep(bytes.subarray(end));
    if (this.#carryBytes > LONGEST_LINE_BYTES) this.#searchCarry();
  }

  finish(): GrepResult {
    const isOpen = this.#carryBytes > 0;
    if (isOpen) this.#searchCarry();
    return {
      lines: this.#found,
      matches: this.#matches,
      totalMatches: this.#totalMatches,
      totalLines: this.#line - (isOpen ? 0 : 1),
      droppedBytes: this.#droppedBytes,
    };
  }

  /** Text before and after a gap is separate: it forms neither one line nor adjacent lines. */
  #drop({ droppedBytes, next }: DroppedOutput): void {
    if (this.#carryBytes > 0) {
      this.#keep(LINE_END);
      this.#searchCarry();
    }
    this.#tail = [];
    this.#afterLeft = 0;
    this.#droppedBytes += droppedBytes;
    this.#next = next;
  }

  #regionOf(piece: Exclude<GrepPiece, DroppedOutput>): Region {
    if ("text" in piece) {
      const { marks } = piece;
      const start = this.#next;
      this.#next = piece.cursor;
      return { bytes: Buffer.from(piece.text), cursorAt: (byte) => markBefore(marks, byte) ?? start };
    }
    const { bytes: given, from: start } = "bytes" in piece ? piece : { bytes: piece, from: this.#next };
    this.#next = start + given.length;
    const bytes = Buffer.from(given.buffer, given.byteOffset, given.length);
    return { bytes, cursorAt: (byte) => start + byte };
  }

  #keep(part: Buffer): void {
    // A copy, because the caller may reuse the memory of the piece.
    this.#carry.push(Buffer.from(part));
    this.#carryBytes += part.length;
  }

  #searchCarry(): void {
    const bytes = Buffer.concat(this.#carry);
    const cursor = this.#carryCursor;
    this.#carry = [];
    this.#carryBytes = 0;
    this.#carryCursor = cursor + bytes.length;
    this.#search({ bytes, cursorAt: () => cursor });
  }

  #search(region: Region): void {
    const { bytes } = region;
    const candidates = this.#candidates(bytes);
    for (let at = 0; at < bytes.length; ) {
      const candidate = candidates(at);
      // Lines after a match are shown, whatever is in them.
      const next = this.#afterLeft > 0 ? at : candidate;
      if (next === -1) {
        this.#line += countLines(bytes, at, bytes.length);
        break;
      }
      this.#line += countLines(bytes, at, next);
      at = this.#lookAt(region, next);
    }
    if (this.#options.context > 0) this.#tail = this.#linesBefore(region, bytes.length);
  }

  /** Searches the line at `from` and returns the start of the next. */
  #lookAt(region: Region, from: number): number {
    const end = lineEnd(region.bytes, from);
    const text = textOf(region.bytes, from, end);
    const match = this.#pattern.exec(text);
    if (match !== null) {
      this.#totalMatches++;
      if (this.#matches < this.#options.maxMatches) {
        this.#matches++;
        for (const line of this.#linesBefore(region, from)) this.#show(line);
        this.#show({
          line: this.#line,
          cursor: region.cursorAt(from),
          text: this.#clip(text, match.index),
          isMatch: true,
        });
        this.#afterLeft = this.#options.context;
      }
    } else if (this.#afterLeft > 0) {
      this.#afterLeft--;
      this.#show({ line: this.#line, cursor: region.cursorAt(from), text: this.#clip(text, 0), isMatch: false });
    }
    if (end < region.bytes.length) this.#line++;
    return end + 1;
  }

  #show(line: GrepLine): void {
    const last = this.#found[this.#found.length - 1];
    // Parts of one long line have one number; each part that matches is shown.
    if (last === undefined || line.line > last.line || (line.isMatch && line.line === last.line))
      this.#found.push(line);
  }

  /** Up to `context` lines before the one that starts at `at`, those of earlier regions included. */
  #linesBefore(region: Region, at: number): GrepLine[] {
    const lines: GrepLine[] = [];
    const { bytes } = region;
    let end = at - 1;
    for (let line = this.#line - 1; lines.length < this.#options.context && end >= 0; line--) {
      const from = end === 0 ? 0 : bytes.lastIndexOf(LINE_FEED, end - 1) + 1;
      const text = this.#clip(textOf(bytes, from, end), 0);
      lines.unshift({ line, cursor: region.cursorAt(from), text, isMatch: false });
      end = from - 1;
    }
    const missing = this.#options.context - lines.length;
    return missing > 0 ? [...this.#tail.slice(-missing), ...lines] : lines;
  }

  /** For each start of a line, the start of the next line that may match; -1 where there is none. */
  #candidates(bytes: Buffer): (at: number) => number {
    // The linear engine is quick over a long text and slow to start: it searches the piece at once where it can.
    const isWhole = this.#pattern.staysInLine && isAscii(bytes);
    if (this.#literal.length > 0 && !(isWhole && this.#pattern.engine === "linear")) {
      return onceEach((at) => startOfLine(bytes, bytes.indexOf(this.#literal, at)));
    }
    if (!isWhole) return (at) => at;
    const text = bytes.toString("latin1");
    return onceEach((at) => {
      const match = this.#pattern.exec(text.slice(at));
      return match === null ? -1 : startOfLine(bytes, at + match.index);
    });
  }

  #clip(text: string, around: number): string {
    const most = this.#options.maxLineChars;
    if (text.length <= most) return text;
    const from = Math.max(0, Math.min(around - (most >> 2), text.length - most));
    return `${from > 0 ? "…" : ""}${text.slice(from, from + most)}${from + most < text.length ? "…" : ""}`;
  }
}
