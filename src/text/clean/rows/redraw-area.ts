import type { GivenText } from "../../budget/given-text.ts";
import { markOf } from "../../mark.ts";
import { makeVisible } from "../make-visible.ts";
import type { Block } from "./block.ts";
import { KeptLines } from "./kept-lines.ts";
import { Row } from "./row.ts";

/**
 * The last lines of an output, as far back as a program can still redraw them, and the caret that moves and writes
 * there.
 */

/** A longer line can be continued but not redrawn: twice the widest terminal we open. */
const LONGEST_ROW = 1_024;
/** The caret is after the last character, in whatever column that is. */
const AT_END = -1;

interface AppendedLines extends Pick<Block, "cursor" | "isAscii"> {
  readonly lastLineCursor: number;
}

export interface AreaSize {
  readonly cols: number;
  /** How many lines the caret can go back. */
  readonly rows: number;
  /** How many lines an empty screen has, for moves down. */
  readonly screenRows: number;
}

export class RedrawArea {
  readonly #lines = new KeptLines();
  readonly #size: AreaSize;
  #line = 0;
  #column = AT_END;
  /** The caret never goes above this line: the top of the screen, or of what was printed since it was cleared. */
  #topLine = 0;
  /** The last line that limpet added. The line below it was the top line then. */
  #noteText = "";
  /** Journal byte of what is being carried out; new lines begin there. */
  cursor = 0;

  constructor(size: AreaSize) {
    this.#size = size;
  }

  get given(): GivenText {
    return this.#lines.given;
  }

  /** Text goes to the end of the last line, as most output does. */
  get isAppending(): boolean {
    return this.#column === AT_END && this.#line === this.#lines.lastLine;
  }

  get row(): Row {
    return this.#lines.rowAt(this.#line);
  }

  get line(): number {
    return this.#line;
  }

  get topLine(): number {
    return this.#topLine;
  }

  /** Column of the caret, counted from 0. */
  get column(): number {
    if (this.#column === AT_END) this.#column = this.row.columns;
    return this.#column;
  }

  /** Only while `isAppending`. `lastLineCursor` is where the part after the last line feed begins. */
  append(text: string, lines: AppendedLines): void {
    const first = text.indexOf("\n");
    this.row.text += first === -1 ? text : text.slice(0, first);
    this.#freeze();
    if (first === -1) return;
    const last = text.lastIndexOf("\n");
    if (last > first) {
      const long = this.#lines.addBlock(text.slice(first + 1, last + 1), lines, LONGEST_ROW);
      // As in #freeze: no line this long is redrawn, whether it arrived in one chunk or in many.
      if (long !== -1) this.#topLine = long + 1;
    }
    this.#addRow(new Row(lines.lastLineCursor, text.slice(last + 1)));
    this.#freeze();
  }

  write(text: string): void {
    this.#thaw();
    for (let rest = text; rest !== ""; ) {
      const row = this.row;
      row.isEdited = true;
      this.#lines.touch(this.#line);
      const written = row.write(rest, this.column, LONGEST_ROW);
      this.#column = written.column;
      rest = written.rest;
      if (rest !== "") this.startFresh();
    }
  }

  /**
   * Adds a line of ours below everything. Neither it nor what is above can be redrawn: a program could otherwise put
   * its own words after the tag.
   */
  note(text: string, tag: string | undefined): void {
    this.startFresh();
    this.row.text = markOf(text, tag);
    this.lineFeed();
    this.#topLine = this.#line;
    this.#noteText = text;
  }

  /** That note is the last line, and nothing has followed it. */
  isBelowNote(text: string): boolean {
    return text === this.#noteText && this.#lines.lastLine === this.#topLine && this.#isFresh;
  }

  /** If the last line is empty, it begins at journal byte `cursor`. */
  startLineAt(cursor: number): void {
    if (this.#line === this.#lines.lastLine && this.#isFresh) this.row.cursor = cursor;
  }

  lineFeed(): void {
    if (this.#line === this.#lines.lastLine) this.#addRow(new Row(this.cursor));
    else {
      this.#line++;
      this.#setColumn(0);
    }
  }

  /** Moves to an empty line below everything. */
  startFresh(): void {
    this.#line = this.#lines.lastLine;
    if (this.#isFresh) this.#setColumn(0);
    else this.#addRow(new Row(this.cursor));
  }

  /** The same, and what is above can no longer be redrawn: a cleared screen loses nothing that was printed. */
  startPage(): void {
    this.startFresh();
    this.#topLine = this.#line;
  }

  moveTo(line: number, column: number): void {
    this.#thaw();
    const bottom = Math.max(this.#lines.lastLine, this.#topLine + this.#size.screenRows - 1);
    this.#line = Math.max(this.#topLine, Math.min(line, bottom));
    this.#lines.reach(this.#line, this.cursor);
    this.#setColumn(Math.max(0, column));
  }

  moveBy(lines: number, columns: number): void {
    this.#thaw();
    this.moveTo(this.#line + lines, this.column + columns);
  }

  erase(from: number, to: number): void {
    const row = this.#rowToEdit();
    const column = this.column;
    row.erase(from, to);
    this.#setColumn(column);
  }

  /** Removes all lines below the caret. */
  dropBelow(): void {
    this.#lines.dropAfter(this.#line);
  }

  deleteChars(count: number): void {
    this.#rowToEdit().deleteAt(this.column, count);
  }

  insertChars(count: number): void {
    const row = this.#rowToEdit();
    if (row.columns + count <= LONGEST_ROW) row.insertAt(this.column, count);
  }

  /** The character before the caret, for REP. */
  charBefore(): string {
    return this.row.toCells()[this.column - 1] ?? "";
  }

  giveAll(): void {
    this.#lines.giveAll();
  }

  /** Nothing is on the line of the caret. */
  get #isFresh(): boolean {
    return this.row.isEmpty && !this.row.isFrozen;
  }

  #rowToEdit(): Row {
    this.#thaw();
    this.#lines.touch(this.#line);
    return this.row;
  }

  #setColumn(column: number): void {
    const row = this.row;
    const isFresh = column === 0 && row.cells === null && row.text === "";
    const limit = column < this.#size.cols ? column : Math.max(this.#size.cols - 1, row.columns);
    this.#column = isFresh ? AT_END : Math.min(column, limit);
  }

  #addRow(row: Row): void {
    this.#lines.addRow(row);
    this.#line = this.#lines.lastLine;
    this.#column = AT_END;
    this.#topLine = Math.max(this.#topLine, this.#line - this.#size.rows + 1);
    this.#lines.letGo(this.#line - this.#size.rows + 1);
  }

  /** The last line has grown too long: its beginning leaves, and everything above it. */
  #freeze(): void {
    const row = this.row;
    if (row.text.length <= LONGEST_ROW) return;
    this.#lines.letGo(this.#line);
    row.isFrozen = true;
    this.#topLine = this.#line + 1;
    while (row.text.length > LONGEST_ROW) {
      const end = safeCut(row.text, LONGEST_ROW);
      this.given.addBeginning(row, makeVisible(row.text.slice(0, end)));
      row.text = row.text.slice(end);
    }
  }

  /** A line that has lost its beginning can only be continued: anything else goes to a line of its own. */
  #thaw(): void {
    if (this.row.isFrozen) this.startFresh();
  }
}

/** Before an ASCII character near `at`, so that characters that belong together are not separated. */
function safeCut(text: string, at: number): number {
  for (let i = at; i > at - 64; i--) if (text.charCodeAt(i) < 0x80) return i;
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
