import { GivenText } from "../../budget/given-text.ts";
import { makeVisible } from "../make-visible.ts";
import { type Block, measureLines, unpackBlock } from "./block.ts";
import { Row } from "./row.ts";

/**
 * The last lines of an output, numbered from its beginning. What leaves at the top goes to `given`, in order.
 *
 *   Block Block Row Block Row Row Row
 *                          │       └─ last line, always a row
 *                          └─ from here on all are rows
 */
export class KeptLines {
  readonly given: GivenText = new GivenText();
  #entries: (Row | Block)[] = [new Row(0)];
  #firstLine = 0;
  #lastLine = 0;
  #rowsFrom = 0;
  #changedFrom = 0;

  get lastLine(): number {
    return this.#lastLine;
  }

  /** Only for lines that were reached, and those below them. */
  rowAt(line: number): Row {
    const row = this.#entries[this.#indexOf(line)];
    if (row instanceof Row) return row;
    throw new TypeError(`Line ${line} was not reached.`);
  }

  addRow(row: Row): void {
    this.#entries.push(row);
    this.#lastLine++;
  }

  /** Returns the number of the last line that is longer than `longest`, or -1. */
  addBlock(text: string, from: Pick<Block, "cursor" | "isAscii">, longest: number): number {
    const { count, lastLong } = measureLines(text, longest);
    const before = this.#lastLine;
    this.#entries.push({ text, count, cursor: from.cursor, isAscii: from.isAscii, isGiven: false });
    this.#lastLine += count;
    this.#rowsFrom = this.#lastLine + 1;
    return lastLong === 0 ? -1 : before + lastLong;
  }

  /** Makes the line a row: unpacked from its block, or new below the last one. */
  reach(line: number, cursor: number): void {
    while (line > this.#lastLine) this.addRow(Row.gap(cursor));
    while (this.#rowsFrom > Math.max(line, this.#firstLine)) {
      const at = this.#indexOf(this.#rowsFrom) - 1;
      const entry = this.#entries[at];
      if (entry === undefined) return;
      if (entry instanceof Row) this.#rowsFrom--;
      else {
        const { rest, rows } = unpackBlock(entry, this.#rowsFrom - line);
        this.#entries.splice(at, 1, ...rest, ...rows);
        this.#rowsFrom -= rows.length;
      }
    }
  }

  /** That line has changed, or is about to. */
  touch(line: number): void {
    if (line < this.#changedFrom) this.#changedFrom = line;
  }

  dropAfter(line: number): void {
    this.#entries.length = this.#indexOf(line) + 1;
    this.#lastLine = line;
    this.touch(line);
  }

  /** Passes the lines before `line` to `given`, if their whole entry is before it. */
  letGo(line: number): void {
    let count = 0;
    for (const entry of this.#entries) {
      const size = entry instanceof Row ? 1 : entry.count;
      if (this.#firstLine + size > line) break;
      if (this.#firstLine + size > this.#changedFrom) this.#give(count);
      this.#firstLine += size;
      count++;
    }
    if (count > 0) this.#entries.splice(0, count);
    this.#rowsFrom = Math.max(this.#rowsFrom, this.#firstLine);
  }

  /** Everything that changed since the last call goes to `given`. */
  giveAll(): void {
    let at = this.#entries.length - 1;
    let line = this.#lastLine;
    while (at > 0 && line > this.#changedFrom) {
      const above = this.#entries[--at];
      line -= above === undefined || above instanceof Row ? 1 : above.count;
    }
    for (; at < this.#entries.length - 1; at++) this.#give(at);
    this.given.addLive(this.rowAt(this.#lastLine));
    this.#changedFrom = this.#lastLine;
  }

  #indexOf(line: number): number {
    return this.#entries.length - 1 - (this.#lastLine - line);
  }

  #give(at: number): void {
    const entry = this.#entries[at];
    if (entry instanceof Row) this.given.addFinished(entry);
    else if (entry !== undefined && !entry.isGiven) {
      this.given.addLines(entry.isAscii ? entry.text : makeVisible(entry.text), entry.cursor);
      this.#entries[at] = { ...entry, isGiven: true };
    }
  }
}
