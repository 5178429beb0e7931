import { charWidth } from "../char-width.ts";
import { makeVisible } from "../make-visible.ts";

/**
 * One line of the redraw area. Text that is only ever appended stays a string; the first write elsewhere turns it into
 * cells, one per column. An empty cell belongs to the wide character or tab before it.
 */
const TAB_COLUMNS = 8;
/** Combining marks beyond this start a cell of their own, so that no cell grows without bound. */
const LONGEST_CELL = 8;

export class Row {
  text = "";
  cells: string[] | null = null;
  /** Redrawn at least once: blanks at its end are padding over what was longer before. */
  isEdited = false;
  /** Longer than a row may get: its beginning has left, so it can only be continued. */
  isFrozen = false;
  /** The caret has only passed it on its way down; nothing was written. */
  isGap = false;
  /** What the reader last got of it; null if nothing. */
  given: string | null = null;
  /** Journal byte at which the line began. */
  cursor: number;

  constructor(cursor: number, text = "") {
    this.cursor = cursor;
    this.text = text;
  }

  static gap(cursor: number): Row {
    const row = new Row(cursor);
    row.isGap = true;
    return row;
  }

  get isEmpty(): boolean {
    return this.cells === null ? this.text === "" : this.cells.length === 0;
  }

  get columns(): number {
    return this.toCells().length;
  }

  shown(): string {
    const text = this.cells === null ? this.text : this.cells.join("");
    return makeVisible(this.isEdited ? text.trimEnd() : text);
  }

  toCells(): string[] {
    if (this.cells !== null) return this.cells;
    const text = this.text;
    this.cells = [];
    this.text = "";
    this.write(text, 0, Number.POSITIVE_INFINITY);
    return this.cells;
  }

  /**
   * Overwrites from `column` on, up to `mostColumns`. Returns the column after it and the text that did not fit.
   */
  write(text: string, column: number, mostColumns: number): { readonly column: number; readonly rest: string } {
    const cells = this.toCells();
    while (cells.length < column) cells.push(" ");
    let col = column;
    for (let i = 0; i < text.length; ) {
      const char = charAt(text, i);
      const width = char === "\t" ? TAB_COLUMNS - (col % TAB_COLUMNS) : charWidth(char);
      if (width === 0 && this.#combine(char, col)) {
        i += char.length;
        continue;
      }
      if (col + width > mostColumns) return { column: col, rest: text.slice(i) };
      if (char === "\t" && col < cells.length) col = Math.min(col + width, Math.max(cells.length, col));
      else col = this.#put(char, col, width || 1);
      i += char.length;
    }
    return { column: col, rest: "" };
  }

  erase(from: number, to: number): void {
    this.isEdited = true;
    if (this.cells === null && from === 0 && to >= this.text.length) {
      this.text = "";
      return;
    }
    const cells = this.toCells();
    if (to >= cells.length) {
      this.#breakAt(from);
      cells.length = Math.min(cells.length, from);
      // Empty again, so the fast form is enough.
      if (cells.length === 0) this.cells = null;
      return;
    }
    for (let i = from; i < to; i++) {
      this.#breakAt(i);
      cells[i] = " ";
    }
  }

  deleteAt(column: number, count: number): void {
    this.isEdited = true;
    this.#breakAt(column);
    this.#breakAt(column + count);
    const cells = this.toCells();
    // In place: a program may do this for every character it prints.
    for (let i = column + count; i < cells.length; i++) cells[i - count] = cells[i] ?? " ";
    cells.length = Math.max(Math.min(column, cells.length), cells.length - count);
  }

  insertAt(column: number, count: number): void {
    this.isEdited = true;
    const cells = this.toCells();
    if (column >= cells.length) return;
    this.#breakAt(column);
    for (let i = 0; i < count; i++) cells.push(" ");
    for (let i = cells.length - 1; i >= column + count; i--) cells[i] = cells[i - count] ?? " ";
    cells.fill(" ", column, column + count);
  }

  #put(char: string, column: number, width: number): number {
    const cells = this.toCells();
    for (let i = 0; i < width; i++) {
      if (column + i < cells.length) this.#breakAt(column + i);
      cells[column + i] = i === 0 ? char : "";
    }
    if (cells[column + width] === "") this.#breakAt(column + width);
    return column + width;
  }

  /** Adds a combining mark to the character before it. Returns whether there was one. */
  #combine(mark: string, column: number): boolean {
    const cells = this.toCells();
    let owner = Math.min(column, cells.length) - 1;
    while (owner > 0 && cells[owner] === "") owner--;
    const cell = cells[owner];
    if (cell === undefined || cell === "" || cell.length + mark.length > LONGEST_CELL) return false;
    cells[owner] = cell + mark;
    return true;
  }

  /** A wide character or tab that is about to lose one of its columns leaves blanks in the others. */
  #breakAt(column: number): void {
    const cells = this.toCells();
    let owner = column;
    while (owner > 0 && cells[owner] === "") owner--;
    if (owner === column && cells[column + 1] !== "") return;
    if (column >= cells.length) return;
    cells[owner] = " ";
    for (let i = owner + 1; cells[i] === ""; i++) cells[i] = " ";
  }
}

function charAt(text: string, at: number): string {
  const code = text.charCodeAt(at);
  if (code < 0xd800 || code > 0xdbff) return text.charAt(at);
  return String.fromCodePoint(text.codePointAt(at) ?? code);
}
