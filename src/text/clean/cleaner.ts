import type { CursorMark } from "../budget/given-text.ts";
import { EscapeTokenizer } from "../escape/escape-tokenizer.ts";
import { screenSwitch } from "../escape/screen-switch.ts";
import { CaretControl } from "./caret-control.ts";
import { caretNotation } from "./make-visible.ts";
import { RedrawArea } from "./redraw-area.ts";
import { TextRun } from "./text-run.ts";

/**
 * Turns the bytes of a terminal into text to read. Plain text is collected without its control sequences and decoded in
 * bulk; only what moves the caret or erases goes through the redraw area cell by cell.
 */
const ESC = 0x1b;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const TAB = 0x09;
const SGR = 0x6d;
const DEFAULT_COLS = 80;
const DEFAULT_ROWS = 24;
/** How far up a redraw is followed if the height is unknown. No program draws a taller progress area. */
const MOST_ROWS = 500;
/** Final bytes of the sequences that move or erase; all others do not change the text. */
const CSI_EDITS = "ABCDEFGHJKPX@`abdefsu";
const ESCAPE_EDITS = "78DEMc";
export const ALTERNATE_SCREEN_NOTE = "[full-screen program: its screen is not shown here; use read_screen]";

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

/** Turns the output of a terminal into plain text: push bytes, take text. */
export class Cleaner {
  readonly #area: RedrawArea;
  readonly #caret: CaretControl;
  readonly #escape = new EscapeTokenizer();
  readonly #run = new TextRun();
  /** Journal byte where the collected text begins. */
  #runCursor = 0;
  #lastLineCursor = 0;
  #cursor = 0;
  #hasCarriageReturn = false;
  #isAlternate = false;
  /** The tag of the notes that this cleaner writes into the text from now on. */
  tag: string | undefined;

  constructor(options: CleanerOptions = {}) {
    const rows = Math.min(options.rows ?? MOST_ROWS, MOST_ROWS);
    const cols = Math.min(options.cols ?? DEFAULT_COLS, MOST_ROWS);
    this.#area = new RedrawArea({ cols, rows, screenRows: Math.min(rows, options.rows ?? DEFAULT_ROWS) });
    this.#caret = new CaretControl(this.#area, cols);
  }

  /** Journal bytes pushed so far. */
  get cursor(): number {
    return this.#cursor;
  }

  /** Bytes of finished text that nobody has taken yet. Call `take` now and then to keep them few. */
  get pendingBytes(): number {
    return this.#area.given.bytes;
  }

  push(bytes: Uint8Array): void {
    const base = this.#cursor;
    let i = 0;
    while (i < bytes.length) {
      this.#cursor = base + i;
      if (!this.#escape.isIdle) i = this.#inSequence(bytes, i);
      else if (this.#isAlternate) i = this.#skipToEscape(bytes, i);
      else i = this.#inText(bytes, i);
    }
    this.#cursor = base + bytes.length;
    this.#flush(this.#run.openBytes);
  }

  /** What is new since the last call: finished lines, then the line that still grows, without its end. */
  take(): CleanText {
    this.#area.giveAll();
    this.#caret.giveStatus();
    return { ...this.#area.given.take(), cursor: this.#cursor };
  }

  /** Only what can no longer change. For reading a long output through: each line comes once, in its last state. */
  drain(): CleanText {
    return { ...this.#area.given.take(), cursor: this.#cursor };
  }

  /** Bytes are missing here: an open sequence or character does not continue after them. */
  breakOff(): void {
    this.#flush(0);
    this.#escape.abort();
    this.#hasCarriageReturn = false;
  }

  /** No more bytes follow: half a character at the end becomes U+FFFD. */
  end(): void {
    this.#flush(0);
  }

  #inText(bytes: Uint8Array, at: number): number {
    const from = this.#hasCarriageReturn ? this.#afterCarriageReturn(bytes, at) : at;
    if (this.#run.isEmpty) this.#runCursor = this.#cursor;
    const i = this.#run.fill(bytes, from, this.#caret.isAppending);
    if (this.#run.lineStart !== -1) this.#lastLineCursor = this.#cursor + this.#run.lineStart - at;
    this.#cursor += i - at;
    if (i === bytes.length) return i;
    if (!this.#run.isFull) return this.#control(bytes[i] as number, i);
    this.#flush(this.#run.openBytes);
    return i;
  }

  /** Carriage returns before a line feed are part of the line end. Before anything else they begin a redraw. */
  #afterCarriageReturn(bytes: Uint8Array, at: number): number {
    let i = at;
    while (bytes[i] === CARRIAGE_RETURN) i++;
    if (i === bytes.length) return i;
    this.#hasCarriageReturn = false;
    if (bytes[i] === LINE_FEED) return i;
    this.#edit(() => this.#caret.carriageReturn());
    return i;
  }

  #control(byte: number, at: number): number {
    if (byte === CARRIAGE_RETURN) this.#hasCarriageReturn = true;
    else if (byte === ESC) {
      // A sequence inside a character breaks the character.
      this.#run.seal();
      this.#escape.begin();
    } else this.#carryOut(byte);
    return at + 1;
  }

  #carryOut(byte: number): void {
    if (byte === LINE_FEED || byte === 0x0b || byte === 0x0c) this.#edit(() => this.#caret.lineFeed());
    else if (byte === TAB) this.#edit(() => this.#caret.tab());
    else if (byte === 0x08) this.#edit(() => this.#caret.backspace());
    else if (byte === 0x07 || byte === 0x0e || byte === 0x0f) this.#run.seal();
    else this.#collect(caretNotation(byte));
  }

  #inSequence(bytes: Uint8Array, at: number): number {
    const i = this.#escape.read(bytes, at);
    this.#cursor += i - at;
    const { step } = this.#escape;
    if (step === "csi") this.#carryOutCsi();
    else if (step === "escape") this.#carryOutEscape();
    else if (step === "control") {
      if (!this.#isAlternate) this.#controlInSequence(bytes[i] as number);
      return i + 1;
    }
    return i;
  }

  #controlInSequence(byte: number): void {
    if (byte === CARRIAGE_RETURN) this.#edit(() => this.#caret.carriageReturn());
    else this.#carryOut(byte);
  }

  #carryOutCsi(): void {
    const { final, prefix, intermediates } = this.#escape;
    // SGR, the most frequent sequence by far, changes no text.
    if (final === SGR) return;
    if (prefix !== 0) this.#switchScreen();
    if (prefix !== 0 || intermediates !== "" || this.#isAlternate) return;
    const name = String.fromCharCode(final);
    if (!CSI_EDITS.includes(name)) return;
    // grep and others erase to the end of the line after each colour. At the end of the output there is nothing to
    // erase.
    if ((name === "K" || name === "J") && this.#escape.params.get(0, 0) === 0 && this.#caret.isAtVeryEnd) return;
    this.#edit(() => this.#caret.csi(name, this.#escape.params));
  }

  #carryOutEscape(): void {
    const { name } = this.#escape;
    // RIS
    if (name === "c") this.#isAlternate = false;
    if (!this.#isAlternate && name.length === 1 && ESCAPE_EDITS.includes(name)) {
      this.#edit(() => this.#caret.escape(name));
    }
  }

  #switchScreen(): void {
    const direction = screenSwitch(this.#escape);
    if (direction === undefined || this.#isAlternate === (direction === "enter")) return;
    this.#isAlternate = direction === "enter";
    if (!this.#isAlternate) return;
    this.#flush(0);
    this.#hasCarriageReturn = false;
    this.#area.cursor = this.#cursor;
    this.#area.note(ALTERNATE_SCREEN_NOTE, this.tag);
  }

  #skipToEscape(bytes: Uint8Array, at: number): number {
    const found = bytes.indexOf(ESC, at);
    if (found === -1) return bytes.length;
    this.#escape.begin();
    return found + 1;
  }

  /** Puts collected text on the lines before something moves or erases there. */
  #edit(change: () => void): void {
    this.#flush(0);
    if (this.#hasCarriageReturn) {
      this.#hasCarriageReturn = false;
      this.#area.cursor = this.#cursor;
      this.#caret.carriageReturn();
    }
    this.#area.cursor = this.#cursor + 1;
    change();
  }

  #collect(text: string): void {
    this.#run.seal();
    if (this.#run.isEmpty) this.#runCursor = this.#cursor;
    this.#run.addAscii(text);
    if (this.#run.isFull) this.#flush(0);
  }

  /** Decodes what was collected, except for the last `held` bytes, and puts it on the lines. */
  #flush(held: number): void {
    const { text, isAscii } = this.#run.takeText(held);
    if (text !== "" && this.#caret.isAppending) {
      this.#area.append(text, { isAscii, cursor: this.#runCursor, lastLineCursor: this.#lastLineCursor });
    } else if (text !== "") {
      this.#area.cursor = this.#runCursor;
      this.#caret.write(text);
    }
    this.#runCursor = this.#cursor;
  }
}
