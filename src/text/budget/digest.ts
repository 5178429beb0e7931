/**
 * Output in, what a model reads out: clean, folded, cut to a budget, with the journal cursors of what was cut.
 *
 * Output is worked through in pieces of bounded size, so that an output of any length needs little memory. A fold does
 * not reach over the border of two pieces; that costs a line now and then and never a wrong count.
 */

import { Cleaner, type CleanText } from "../clean/cleaner.ts";
import { type Folded, RepeatFold, unfoldedByte } from "../fold/fold-repeats.ts";
import { droppedNote, hiddenStringNote, type MarkOptions, markOf } from "../mark.ts";
import { lineSteps } from "../search/byte-lines.ts";
import { CursorMap } from "../search/cursor-map.ts";
import { countBeforeFold, fitTokens, type Tokenizer } from "./fit-tokens.ts";
import type { CursorMark } from "./given-text.ts";
import { HeadTail } from "./head-tail.ts";
import type { Truncated } from "./truncate-middle.ts";

export interface DigestOptions extends MarkOptions {
  readonly maxTokens: number;
  /** Bytes as they came, control sequences and all. Default false. */
  readonly raw?: boolean | undefined;
  /** Repeated lines as one and a count. Default true; never with `raw`. */
  readonly fold?: boolean | undefined;
  /** Default: 4 bytes a token. */
  readonly tokenizer?: Tokenizer | undefined;
}

/** What a model gets to read of a part of the journal. */
export interface Reading {
  readonly text: string;
  /**
   * Tokens of the text before it was folded and cut; null when nothing was cut. With a tokenizer, what was folded is
   * estimated.
   */
  readonly originalTokenCount: number | null;
  /** Where in the journal the part that was cut can be read; never too narrow. Null when nothing was cut. */
  readonly cut: { readonly from: number; readonly to: number } | null;
  /** Bytes in the range that are kept nowhere any more; a line in `text` says where. */
  readonly droppedBytes: number;
  /** Lines with a number of their own that a fold left out; `fold: false` or `raw: true` gives them. */
  readonly hiddenLines: number;
}

interface Piece {
  /** Where it begins in the whole text, in bytes. */
  readonly start: number;
  /** The same, before anything was folded. */
  readonly originalStart: number;
  readonly folded: Folded;
  readonly marks: readonly CursorMark[];
}

/** Text that is being folded, as one piece. */
interface OpenPiece {
  readonly fold: RepeatFold;
  readonly originalStart: number;
  marks: CursorMark[];
}

const PIECE_BYTES = 512 * 1024;
/** Cleaned text is folded when there is this much of it: some tenths of a millisecond. */
const FOLD_BYTES = 8 * 1024;
/** Per piece: enough to find a cut to within a fraction of a percent, and few enough to keep. */
const MOST_MARKS = 4_096;
const BYTES_PER_TOKEN = 4;
/** Bytes of a character that is not complete yet. */
const LONGEST_BEGIN = 3;
/**
 * Whoever reads on from the place of a cut must get further, so that place is to be found within a small part of the
 * budget. Smaller steps cost time, raw ones memory too.
 */
const SMALLEST_STEP = 128;
const LARGEST_STEP = 4096;
/**
 * With a tokenizer of its own, a caller's budget may hold more bytes than the estimate says; no more than this many.
 */
const MOST_BYTES_PER_TOKEN = 16;

export class Digest {
  readonly #options: DigestOptions;
  readonly #ends: HeadTail;
  readonly #pieces: Piece[] = [];
  #open: OpenPiece | undefined;
  readonly #cursors = new CursorMap();
  readonly #cleaner: Cleaner;
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  /** Bytes for the cleaner at once: the place of a cut is known to within one of these. */
  readonly #stepBytes: number;
  #read: number;
  #originalBytes = 0;
  #droppedBytes = 0;
  #hiddenLines = 0;
  /** The text so far ends with a line feed, or is empty. */
  #isAtLineStart = true;

  constructor(options: DigestOptions, cleaner: Cleaner = new Cleaner()) {
    this.#options = options;
    this.#cleaner = cleaner;
    cleaner.tag = options.tag;
    this.#read = cleaner.cursor;
    const bytesPerToken = options.tokenizer ? MOST_BYTES_PER_TOKEN : BYTES_PER_TOKEN;
    const budget = Math.floor(options.maxTokens) * bytesPerToken;
    this.#ends = new HeadTail(budget, { tag: options.tag });
    this.#stepBytes = Math.min(LARGEST_STEP, Math.max(options.raw ? LARGEST_STEP : SMALLEST_STEP, budget >> 3));
  }

  /** `cursor` is where in the journal `bytes` stand; what lies between two calls is left out. */
  push(bytes: Uint8Array, cursor: number): void {
    for (const step of lineSteps(bytes, this.#stepBytes)) this.#pushStep(step.bytes, cursor + step.at);
  }

  #pushStep(bytes: Uint8Array, cursor: number): void {
    this.#cursors.note(this.#read, cursor);
    if (this.#options.raw) {
      // The decoder may still hold the begin of a character.
      const mark = { textByte: 0, cursor: Math.max(0, this.#read - LONGEST_BEGIN) };
      this.#add({ text: this.#decoder.decode(bytes, { stream: true }), marks: [mark] });
    } else {
      this.#cleaner.push(bytes);
      this.#takeOn();
    }
    this.#read += bytes.length;
  }

  #takeOn(): void {
    const { pendingBytes } = this.#cleaner;
    const openBytes = this.#open ? this.#originalBytes - this.#open.originalStart : 0;
    if (pendingBytes > FOLD_BYTES || openBytes + pendingBytes > PIECE_BYTES) this.#add(this.#cleaner.drain());
    if (openBytes + pendingBytes > PIECE_BYTES) this.#closePiece();
  }

  /** So many bytes at this place are kept nowhere any more. */
  drop(bytes: number): void {
    this.#droppedBytes += bytes;
    if (this.#options.raw) this.#add({ text: this.#decoder.decode(), marks: [] });
    else {
      this.#cleaner.breakOff();
      this.#add({ text: this.#cleaner.take().text, marks: [] });
    }
    this.#addNote(droppedNote(bytes));
    this.#closePiece();
  }

  /** Nothing follows: half a character at the end is shown as U+FFFD. */
  end(): void {
    if (!this.#options.raw) this.#cleaner.end();
  }

  #addNote(text: string): void {
    const note = markOf(text, this.#options.tag);
    this.#add({ text: `${this.#isAtLineStart ? "" : "\n"}${note}\n`, marks: [] });
  }

  /** The text so far, up to and with the line that is still growing. */
  result(): Reading {
    if (this.#options.raw) this.#add({ text: this.#decoder.decode(), marks: [] });
    else {
      this.#add(this.#cleaner.take());
      if (this.#cleaner.hiddenBytes > 0) this.#addNote(hiddenStringNote(this.#cleaner.hiddenBytes));
    }
    this.#closePiece();
    const { text, originalTokenCount: counted, cut } = this.#fit();
    const sizes = { originalBytes: this.#originalBytes, foldedBytes: this.#ends.totalBytes };
    return {
      text,
      originalTokenCount: counted === null ? null : countBeforeFold(counted, sizes, this.#options.tokenizer),
      cut: cut && this.#journalRange(cut),
      droppedBytes: this.#droppedBytes,
      hiddenLines: this.#hiddenLines,
    };
  }

  /**
   * Where in the journal the text at byte `textByte` came from, or shortly before: the byte counts in the text before
   * its cut.
   */
  cursorAt(textByte: number): number {
    return this.#cursors.cursorOf(this.#readBefore(textByte));
  }

  #add({ text, marks }: Pick<CleanText, "text" | "marks">): void {
    const { raw = false, fold = true } = this.#options;
    const originalStart = this.#originalBytes;
    if (text !== "") this.#isAtLineStart = text.endsWith("\n");
    this.#originalBytes += Buffer.byteLength(text);
    if (raw || !fold) {
      this.#addPiece({ originalStart, marks }, { text, foldedLines: 0, hiddenLines: 0, joints: [] });
      return;
    }
    this.#open ??= { fold: new RepeatFold(this.#options), originalStart, marks: [] };
    const before = originalStart - this.#open.originalStart;
    for (const { textByte, cursor } of marks) this.#open.marks.push({ textByte: before + textByte, cursor });
    if (this.#open.marks.length > MOST_MARKS) this.#open.marks = this.#open.marks.filter((_, i) => i % 2 === 0);
    this.#open.fold.push(text);
  }

  #closePiece(): void {
    if (this.#open) this.#addPiece(this.#open, this.#open.fold.finish());
    this.#open = undefined;
  }

  #addPiece({ originalStart, marks }: Pick<Piece, "originalStart" | "marks">, folded: Folded): void {
    this.#pieces.push({ start: this.#ends.totalBytes, originalStart, folded: { ...folded, text: "" }, marks });
    this.#hiddenLines += folded.hiddenLines;
    this.#ends.push(folded.text);
  }

  #fit(): Truncated {
    const byBytes = this.#ends.result();
    const { tokenizer, maxTokens } = this.#options;
    if (!tokenizer) return byBytes;
    const byTokens = fitTokens(byBytes.text, maxTokens, this.#options);
    if (!byBytes.cut || !byTokens.cut) return byTokens.cut ? byTokens : byBytes;
    // Both were cut, the second time more widely: its end counts from the end of the whole.
    const fromEnd = Buffer.byteLength(byBytes.text) - byTokens.cut.toByte;
    return {
      text: byTokens.text,
      originalTokenCount: byBytes.originalTokenCount,
      cut: { fromByte: byTokens.cut.fromByte, toByte: this.#ends.totalBytes - fromEnd },
    };
  }

  /** From bytes of the text, before its cut, to cursors of the journal. */
  #journalRange({ fromByte, toByte }: { readonly fromByte: number; readonly toByte: number }): Reading["cut"] {
    return {
      from: this.cursorAt(fromByte),
      to: this.#cursors.cursorOf(this.#readAfter(toByte)),
    };
  }

  /** How much had been read, at most, when the text at `textByte` came. */
  #readBefore(textByte: number): number {
    const original = this.#unfolded(textByte);
    return this.#marks().findLast((mark) => mark.original <= original)?.read ?? 0;
  }

  /** How much had been read, at least, when the text at `textByte` had come. */
  #readAfter(textByte: number): number {
    const original = this.#unfolded(textByte);
    const marks = this.#marks();
    const at = marks.findIndex((mark) => mark.original >= original);
    const reached = marks[at]?.read ?? Number.POSITIVE_INFINITY;
    // A mark may stand a little before its line, but never before one whose place differs from its own.
    const read = marks.slice(at + 1).find((mark) => mark.read > reached)?.read ?? this.#read;
    return Math.min(this.#read, this.#options.raw ? read + LONGEST_BEGIN : read);
  }

  /** From bytes of the whole text to bytes of what it was before it was folded. */
  #unfolded(textByte: number): number {
    const piece = this.#pieces.findLast(({ start }) => start <= textByte);
    return piece ? piece.originalStart + unfoldedByte(piece.folded, textByte - piece.start) : 0;
  }

  #marks(): readonly { readonly original: number; readonly read: number }[] {
    return this.#pieces.flatMap(({ originalStart, marks }) =>
      marks.map(({ textByte, cursor }) => ({ original: originalStart + textByte, read: cursor })),
    );
  }
}
