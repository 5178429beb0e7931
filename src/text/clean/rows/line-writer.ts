/**
 * Puts text and control characters on the lines of the output. Plain text is collected and decoded in bulk; only what
 * moves the caret or erases goes through the redraw area cell by cell.
 */
import type { CursorMark } from "../../budget/given-text.ts";
import type { CsiParams } from "../../escape/csi-params.ts";
import { CaretControl } from "../caret-control.ts";
import { caretNotation } from "../make-visible.ts";
import { RedrawArea } from "./redraw-area.ts";
import { TextRun } from "./text-run.ts";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const TAB = 0x09;
const BACKSPACE = 0x08;
const DEFAULT_COLS = 80;
const DEFAULT_ROWS = 24;
/** How far up a redraw is followed if the height is unknown. No program draws a taller progress area. */
const MOST_ROWS = 500;

/** The size of the terminal that the output was written for. */
export interface CleanerOptions {
  /** Width of the terminal, for moves to its right edge. Default 80. Lines are not wrapped. */
  readonly cols?: number;
  /** Height of the terminal: lines above it can no longer be redrawn. Default: the last 500 lines can. */
  readonly rows?: number;
}

/** A piece of clean text and where in the journal it comes from. */
export interface CleanText {
  readonly text: string;
  /** Journal bytes read when the text was taken. */
  readonly cursor: number;
  /** Where lines of `text` began, in order; not every line has one. See `cursorRange`. */
  readonly marks: readonly CursorMark[];
}

export class LineWriter {
  readonly #area: RedrawArea;
  readonly #caret: CaretControl;
  readonly #run = new TextRun();
  /** Journal byte where the collected text begins. */
  #runCursor = 0;
  /** Where the first and the last line begin in it; -1 for a first one that has not come yet. */
  #firstLineCursor = -1;
  #lastLineCursor = 0;
  #hasCarriageReturn = false;
  /** Journal byte of what comes next. */
  cursor = 0;
  /** The tag of the notes that are written into the text from now on. */
  tag: string | undefined;

  constructor(options: CleanerOptions) {
    const rows = Math.min(options.rows ?? MOST_ROWS, MOST_ROWS);
    const cols = Math.min(options.cols ?? DEFAULT_COLS, MOST_ROWS);
    this.#area = new RedrawArea({ cols, rows, screenRows: Math.min(rows, options.rows ?? DEFAULT_ROWS) });
    this.#caret = new CaretControl(this.#area, cols);
  }

  /** Bytes of finished text that nobody has taken yet. */
  get pendingBytes(): number {
    return this.#area.given.bytes;
  }

  /** What is left of the caret on its line. */
  get beforeCaret(): string {
    if (this.#hasCarriageReturn) return "";
    this.#flush(this.#run.openBytes);
    const { row, column } = this.#area;
    return row.toCells().slice(0, column).join("");
  }

  /** Neither half a character nor a carriage return waits for what follows. */
  get isAtRest(): boolean {
    return this.#run.isEmpty && !this.#hasCarriageReturn;
  }

  /** Takes text from `at` on; returns where it stopped: at the end of the bytes, or before a control or an ESC. */
  write(bytes: Uint8Array, at: number): number {
    let from = this.#hasCarriageReturn ? this.#afterCarriageReturn(bytes, at) : at;
    this.cursor += from - at;
    for (;;) {
      if (this.#run.isEmpty) this.#runCursor = this.cursor;
      const i = this.#run.fill(bytes, from, this.#caret.isAppending);
      if (this.#run.lineStart !== -1) {
        this.#lastLineCursor = this.cursor + this.#run.lineStart - from;
        if (this.#firstLineCursor === -1) this.#firstLineCursor = this.cursor + this.#run.firstLineStart - from;
      }
      this.cursor += i - from;
      if (i === bytes.length || !this.#run.isFull) return i;
      this.#flush(this.#run.openBytes);
      from = i;
    }
  }

  /** Carries out a C0 control, or shows it. */
  control(byte: number): void {
    if (byte === LINE_FEED || byte === 0x0b || byte === 0x0c) this.#edit(() => this.#caret.lineFeed());
    else if (byte === TAB) this.#edit(() => this.#caret.tab());
    else if (byte === BACKSPACE) this.#edit(() => this.#caret.backspace());
    else if (byte === 0x07 || byte === 0x0e || byte === 0x0f) this.#run.seal();
    else this.#collect(caretNotation(byte));
  }

  /** Before a line feed it is part of the line end. Before anything else it begins a redraw. */
  carriageReturn(): void {
    // Half a character before it is not continued after it.
    this.#run.seal();
    this.#hasCarriageReturn = true;
  }

  carriageReturnNow(): void {
    this.#edit(() => this.#caret.carriageReturn());
  }

  /** A sequence begins: inside a character it breaks the character. */
  seal(): void {
    this.#run.seal();
  }

  csi(name: string, params: CsiParams): void {
    // grep and others erase to the end of the line after each colour. At the end of the output there is nothing to
    // erase.
    if ((name === "K" || name === "J") && params.get(0, 0) === 0 && this.#caret.isAtVeryEnd) return;
    this.#edit(() => this.#caret.csi(name, params));
  }

  escape(name: string): void {
    this.#edit(() => this.#caret.escape(name));
  }

  /** Takes back half a character at the end. */
  takeOpenBytes(): Uint8Array {
    return this.#run.takeOpenBytes();
  }

  /** The end of the line that text is added to, if no line feed follows: at most `chars` characters. */
  endOfLine(chars: number): string {
    this.#flush(0);
    this.#redraw();
    return this.#caret.isAppending ? this.#area.row.text.slice(-chars) : "";
  }

  /** Removes `text` from the end of the line, if it is there and nobody has read it. */
  removeEnd(text: string): boolean {
    const { row } = this.#area;
    if (!this.#caret.isAppending || row.given !== null || !row.text.endsWith(text)) return false;
    row.text = row.text.slice(0, row.text.length - text.length);
    return true;
  }

  /** Adds a line of ours below the text, about the output from `from` on. What follows begins a new line. */
  note(text: string, from: number): void {
    this.finish();
    this.#area.cursor = from;
    this.#area.note(text, this.tag);
    this.#area.startLineAt(this.cursor);
  }

  isBelowNote(text: string): boolean {
    this.finish();
    return this.#area.isBelowNote(text);
  }

  /** The next text comes from `cursor`. */
  skipTo(cursor: number): void {
    this.cursor = cursor;
    this.#area.startLineAt(cursor);
  }

  /** Puts the collected text on the lines, except for half a character. */
  flush(): void {
    this.#flush(this.#run.openBytes);
  }

  /** The same, with half a character as U+FFFD: nothing continues here. */
  finish(): void {
    this.#flush(0);
    this.#hasCarriageReturn = false;
  }

  take(): CleanText {
    this.#area.giveAll();
    this.#caret.giveStatus();
    return { ...this.#area.given.take(), cursor: this.cursor };
  }

  drain(): CleanText {
    return { ...this.#area.given.take(), cursor: this.cursor };
  }

  #afterCarriageReturn(bytes: Uint8Array, at: number): number {
    let i = at;
    while (bytes[i] === CARRIAGE_RETURN) i++;
    if (i === bytes.length) return i;
    this.#hasCarriageReturn = false;
    if (bytes[i] !== LINE_FEED) this.carriageReturnNow();
    return i;
  }

  /** Puts collected text on the lines before something moves or erases there. */
  #edit(change: () => void): void {
    this.#flush(0);
    this.#redraw();
    this.#area.cursor = this.cursor + 1;
    change();
  }

  /** Carries out a carriage return that waited for a line feed. */
  #redraw(): void {
    if (!this.#hasCarriageReturn) return;
    this.#hasCarriageReturn = false;
    this.#area.cursor = this.cursor;
    this.#caret.carriageReturn();
  }

  #collect(text: string): void {
    this.#run.seal();
    if (this.#run.isEmpty) this.#runCursor = this.cursor;
    this.#run.addAscii(text);
    if (this.#run.isFull) this.#flush(0);
  }

  /** Decodes what was collected, except for the last `held` bytes, and puts it on the lines. */
  #flush(held: number): void {
    const { text, isAscii } = this.#run.takeText(held);
    if (text !== "" && this.#caret.isAppending) {
      this.#area.append(text, { isAscii, cursor: this.#firstLineCursor, lastLineCursor: this.#lastLineCursor });
    } else if (text !== "") {
      this.#area.cursor = this.#runCursor;
      this.#caret.write(text);
    }
    this.#runCursor = this.cursor;
    this.#firstLineCursor = -1;
  }
}
