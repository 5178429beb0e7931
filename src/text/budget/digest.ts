/**
 * Turns output into what a model reads: clean text, folded, cut to a budget, with the journal cursors of what was cut.
 *
 * Equal lines are folded. Lines that differ in a number are folded only if the text would not fit its budget otherwise:
 * both ways are prepared until the first is too long. Once the second is too long as well, only what the end of the
 * result can show is folded. Output is processed in pieces of bounded size, so that an output of any length needs
 * little memory. A fold does not reach over the border of two pieces; that costs a line now and then, and never a wrong
 * count.
 */

import { Cleaner, type CleanText } from "../clean/cleaner.ts";
import { droppedNote, hiddenStringNote, type MarkOptions, markOf } from "../mark.ts";
import { lineSteps } from "../search/byte-lines.ts";
import { CursorMap } from "../search/cursor-map.ts";
import { countBeforeFold, type Tokenizer } from "./fit-tokens.ts";
import { FoldedView } from "./folded-view.ts";

export interface DigestOptions extends MarkOptions {
  readonly maxTokens: number;
  /** Keep the bytes as they are, with control sequences. Default false. */
  readonly raw?: boolean | undefined;
  /** Repeated lines as one and a count. Default true; ignored with `raw`. */
  readonly fold?: boolean | undefined;
  /** Default: 4 bytes a token. */
  readonly tokenizer?: Tokenizer | undefined;
}

/** A part of the journal as a model reads it. */
export interface Reading {
  readonly text: string;
  /**
   * Tokens of the text before it was folded and cut; null when nothing was cut. With a tokenizer, what was folded is
   * estimated.
   */
  readonly originalTokenCount: number | null;
  /** The journal range to read for the part that was cut; never too narrow. Null if nothing was cut. */
  readonly cut: { readonly from: number; readonly to: number } | null;
  /** Bytes in the range that are no longer kept anywhere; a line in `text` says where they were. */
  readonly droppedBytes: number;
  /**
   * Lines with a number of their own that a fold left out; `fold: false` or `raw: true` returns them. Not all of those
   * in the part that was cut are counted.
   */
  readonly hiddenLines: number;
}

const PIECE_BYTES = 512 * 1024;
/** Cleaned text is folded in pieces of this size, which take some tenths of a millisecond. */
const FOLD_BYTES = 8 * 1024;
const BYTES_PER_TOKEN = 4;
/** Bytes of a character that is not complete yet. */
const MAX_INCOMPLETE_BYTES = 3;
/**
 * The cursor of a cut is known to within one step, so a step is a small part of the budget. Smaller steps cost time,
 * and raw ones memory as well.
 */
const SMALLEST_STEP = 128;
const LARGEST_STEP = 4096;
export class Digest {
  readonly #options: DigestOptions;
  /** From the one that leaves out least to the one that leaves out most. The first that fits is the result. */
  readonly #views: FoldedView[];
  readonly #cursors = new CursorMap();
  readonly #cleaner: Cleaner;
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  /** How many bytes the cleaner gets at once: the cursor of a cut is known to within this many. */
  readonly #stepBytes: number;
  #read: number;
  #originalBytes = 0;
  #droppedBytes = 0;
  /** All that was pushed is in the views. */
  #isFinished = false;
  /** The text so far ends with a line feed, or is empty. */
  #isAtLineStart = true;

  constructor(options: DigestOptions, cleaner: Cleaner = new Cleaner()) {
    this.#options = options;
    this.#cleaner = cleaner;
    cleaner.tag = options.tag;
    this.#read = cleaner.cursor;
    const { raw = false, fold = true } = options;
    const folds = raw || !fold ? [undefined] : (["equal", "alike"] as const);
    this.#views = folds.map((lines) => new FoldedView({ ...options, fold: lines }));
    const budget = Math.floor(options.maxTokens) * BYTES_PER_TOKEN;
    this.#stepBytes = Math.min(LARGEST_STEP, Math.max(options.raw ? LARGEST_STEP : SMALLEST_STEP, budget >> 3));
  }

  /** `cursor` is the position of `bytes` in the journal. Output between two calls is left out. */
  push(bytes: Uint8Array, cursor: number): void {
    this.#isFinished = false;
    for (const step of lineSteps(bytes, this.#stepBytes)) this.#pushStep(step.bytes, cursor + step.at);
  }

  #pushStep(bytes: Uint8Array, cursor: number): void {
    this.#cursors.note(this.#read, cursor);
    if (this.#options.raw) {
      // The decoder may still hold the beginning of a character.
      const mark = { textByte: 0, cursor: Math.max(0, this.#read - MAX_INCOMPLETE_BYTES) };
      this.#add({ text: this.#decoder.decode(bytes, { stream: true }), marks: [mark] });
    } else {
      this.#cleaner.push(bytes);
      this.#takeOn();
    }
    this.#read += bytes.length;
  }

  #takeOn(): void {
    const { pendingBytes } = this.#cleaner;
    const openBytes = this.#last.openBytes;
    if (pendingBytes > FOLD_BYTES || openBytes + pendingBytes > PIECE_BYTES) this.#add(this.#cleaner.drain());
    if (openBytes + pendingBytes > PIECE_BYTES) this.#closePiece();
  }

  /** This many bytes are missing here and no longer kept anywhere. */
  drop(bytes: number): void {
    this.#isFinished = false;
    this.#droppedBytes += bytes;
    if (this.#options.raw) this.#add({ text: this.#decoder.decode(), marks: [] });
    else {
      this.#cleaner.breakOff();
      this.#add({ text: this.#cleaner.take().text, marks: [] });
    }
    this.#closePiece();
    for (const view of this.#views) view.noteDrop(bytes);
    this.#addNote(droppedNote(bytes));
    this.#closePiece();
  }

  /** Cleaning can restart here: the next bytes can continue nothing except the line. */
  get isAtRest(): boolean {
    return this.#options.raw === true || this.#cleaner.isAtRest;
  }

  /** Nothing follows: half a character at the end is shown as U+FFFD. */
  end(): void {
    this.#isFinished = false;
    if (!this.#options.raw) this.#cleaner.end();
  }

  #addNote(text: string): void {
    const note = markOf(text, this.#options.tag);
    this.#add({ text: `${this.#isAtLineStart ? "" : "\n"}${note}\n`, marks: [] });
  }

  /**
   * Prepares the result in steps of some tenths of a millisecond, so that other work can run between them. `result`
   * takes those that are left at once.
   */
  *finishing(): Generator<void> {
    if (!this.#isFinished) this.#finish();
    yield* this.#last.folding();
  }

  #finish(): void {
    this.#isFinished = true;
    if (this.#options.raw) this.#add({ text: this.#decoder.decode(), marks: [] });
    else {
      this.#add(this.#cleaner.take());
      if (this.#cleaner.hiddenBytes > 0) this.#addNote(hiddenStringNote(this.#cleaner.hiddenBytes));
    }
    this.#closePiece();
  }

  /** The text so far, including the line that is still growing. */
  result(): Reading {
    if (!this.#isFinished) this.#finish();
    // Earlier views leave out less.
    while (this.#views.length > 1 && this.#first.fit().cut) this.#views.shift();
    const view = this.#first;
    const { text, originalTokenCount: counted, cut } = view.fit();
    const originalBytes = this.#originalBytes + this.#droppedBytes;
    const sizes = { originalBytes, foldedBytes: view.totalBytes + this.#droppedBytes };
    return {
      text,
      originalTokenCount: counted === null ? null : countBeforeFold(counted, sizes, this.#options.tokenizer),
      cut: cut && this.#journalRange(cut),
      droppedBytes: this.#droppedBytes,
      hiddenLines: view.hiddenLines,
    };
  }

  /**
   * After `result`: the text between the cursor of the cut and the cut itself. Empty if it is unknown because lines are
   * folded there.
   */
  get textBeforeCut(): string {
    const { text, cut } = this.#first.fit();
    if (cut === null || this.#options.raw) return "";
    const original = this.#first.unfolded(cut.fromByte);
    const mark = this.#first.marks().findLast(({ original: at }) => at <= original);
    const bytes = original - (mark?.original ?? original);
    if (bytes > cut.fromByte || this.#first.unfolded(cut.fromByte - bytes) !== mark?.original) return "";
    return Buffer.from(text)
      .subarray(cut.fromByte - bytes, cut.fromByte)
      .toString();
  }

  /**
   * Where in the journal the text at byte `textByte` came from, or shortly before. `textByte` counts in the text before
   * its cut.
   */
  cursorAt(textByte: number): number {
    return this.#cursors.cursorOf(this.#readBefore(textByte));
  }

  get #first(): FoldedView {
    return this.#views[0] as FoldedView;
  }

  get #last(): FoldedView {
    return this.#views.at(-1) as FoldedView;
  }

  #add({ text, marks }: Pick<CleanText, "text" | "marks">): void {
    if (text !== "") this.#isAtLineStart = text.endsWith("\n");
    this.#originalBytes += Buffer.byteLength(text);
    for (const view of this.#views) view.add(text, marks);
  }

  #closePiece(): void {
    for (const view of this.#views) view.closePiece();
    while (this.#views.length > 1 && this.#first.isTooLong) this.#views.shift();
  }

  /** From bytes of the text, before its cut, to cursors of the journal. */
  #journalRange({ fromByte, toByte }: { readonly fromByte: number; readonly toByte: number }): Reading["cut"] {
    return {
      from: this.cursorAt(fromByte),
      to: this.#cursors.cursorOf(this.#readAfter(toByte)),
    };
  }

  /** How many bytes were read before those that the text at `textByte` came from, or fewer. */
  #readBefore(textByte: number): number {
    const original = this.#first.unfolded(textByte);
    return this.#first.marks().findLast((mark) => mark.original <= original)?.read ?? 0;
  }

  /** How many bytes were read up to the last of those that the text at `textByte` came from, or more. */
  #readAfter(textByte: number): number {
    const original = this.#first.unfolded(textByte);
    const marks = this.#first.marks();
    const at = marks.findIndex((mark) => mark.original >= original);
    const reached = marks[at]?.read ?? Number.POSITIVE_INFINITY;
    // A mark may be a little before its line, but never before one whose place differs from its own.
    const read = marks.slice(at + 1).find((mark) => mark.read > reached)?.read ?? this.#read;
    return Math.min(this.#read, this.#options.raw ? read + MAX_INCOMPLETE_BYTES : read);
  }
}
