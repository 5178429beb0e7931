import type { GivenText } from "../../budget/given-text.ts";
import { Row } from "./row.ts";

/**
 * Lines that a program draws elsewhere on the screen between saving and restoring its caret, such as apt's progress bar
 * at the bottom. They are kept out of the flow of the output; readers get their last state.
 */
const MOST_LINES = 64;
const MOST_COLUMNS = 512;

export class StatusLines {
  readonly #rows = new Map<number, Row>();
  readonly #cursor: () => number;
  #line = 0;
  #column = 0;

  constructor(cursor: () => number) {
    this.#cursor = cursor;
  }

  moveTo(line: number, column: number): void {
    this.#line = Math.max(0, Math.min(line, MOST_LINES - 1));
    this.#column = Math.max(0, Math.min(column, MOST_COLUMNS - 1));
  }

  moveBy(lines: number, columns: number): void {
    this.moveTo(this.#line + lines, this.#column + columns);
  }

  setColumn(column: number): void {
    this.moveTo(this.#line, column);
  }

  write(text: string): void {
    for (let rest = text; rest !== ""; ) {
      const written = this.#row.write(rest, this.#column, MOST_COLUMNS);
      rest = written.rest;
      this.#column = written.column;
      if (rest !== "") this.moveTo((this.#line + 1) % MOST_LINES, 0);
    }
  }

  /** `mode` as in CSI K: 0 to the end, 1 to the beginning, 2 the whole line. */
  eraseLine(mode: number): void {
    const from = mode === 0 ? this.#column : 0;
    this.#row.erase(from, mode === 1 ? this.#column + 1 : Number.POSITIVE_INFINITY);
  }

  get isEmpty(): boolean {
    return this.#rows.size === 0;
  }

  clear(): void {
    this.#rows.clear();
  }

  giveAll(given: GivenText): void {
    for (const row of this.#rows.values()) given.addAside(row);
  }

  get #row(): Row {
    let row = this.#rows.get(this.#line);
    if (row === undefined) {
      row = new Row(this.#cursor());
      row.isEdited = true;
      this.#rows.set(this.#line, row);
    }
    return row;
  }
}
