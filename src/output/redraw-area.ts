import { GivenText } from "./given-text.ts";
import { Row } from "./row.ts";
import { makeVisible } from "./visible.ts";

/**
 * The last lines of an output, as far back as a program can still move its caret to redraw them. Lines that arrive in
 * bulk stay one string (a Block) until the caret really goes there.
 *
 *   entries:  Block Block Row Block Row Row Row
 *                              caret ─┘       └─ last line, always a Row
 */
interface Block {
  readonly text: string;
  readonly count: number;
  readonly cursor: number;
  readonly isAscii: boolean;
  isGiven: boolean;
}

type Entry = Row | Block;

/** A line longer than this can be continued, no longer redrawn: twice the widest terminal we open. */
const LONGEST_ROW = 1_024;
/** The caret stands behind the last character, in whatever column that is. */
const AT_END = -1;

interface AppendedLines {
  readonly isAscii: boolean;
  readonly cursor: number;
  readonly lastLineCursor: number;
}

export interface AreaSize {
  readonly cols: number;
  /** Lines the caret can go back. */
  readonly rows: number;
  /** Lines of an empty screen, for moves down. */
  readonly screenRows: number;
}

export class RedrawArea {
  readonly given: GivenText = new GivenText();
  readonly #size: AreaSize;
  #entries: Entry[] = [new Row(0)];
  #at = 0;
  #column = AT_END;
  #lineCount = 1;
  /** Lines that left at the top, so that line numbers stay true. */
  #linesGone = 0;
  /** The caret never goes above this line: the top of the screen since it was last cleared. */
  #topLine = 0;
  #firstChanged = 0;
  /** Journal byte of what is being carried out; new lines begin there. */
  cursor = 0;

  constructor(size: AreaSize) {
    this.#size = size;
  }

  /** Text goes at the end of the last line, as most output does. */
  get isAppending(): boolean {
    return this.#column === AT_END && this.#at === this.#entries.length - 1;
  }

  get row(): Row {
    const entry = this.#entries[this.#at];
    if (entry instanceof Row) return entry;
    throw new TypeError("The caret is always on a row.");
  }

  /** Column of the caret, counted from 0. */
  get column(): number {
    if (this.#column === AT_END) this.#column = this.row.columns;
    return this.#column;
  }

  get line(): number {
    return this.#lastLine - (this.#entries.length - 1 - this.#at);
  }

  get topLine(): number {
    return this.#topLine;
  }

  /** Only while `isAppending`. `lastLineCursor` is where the part behind the last line feed begins. */
  append(text: string, lines: AppendedLines): void {
    const first = text.indexOf("\n");
    this.row.text += first === -1 ? text : text.slice(0, first);
    this.#freeze();
    if (first === -1) return;
    const last = text.lastIndexOf("\n");
    if (last > first) this.#addBlock(text.slice(first + 1, last + 1), lines);
    this.#addRow(new Row(lines.lastLineCursor, text.slice(last + 1)));
    this.#freeze();
  }

  write(text: string): void {
    this.#thaw();
    for (let rest = text; rest !== ""; ) {
      const row = this.row;
      row.isEdited = true;
      this.#touch();
      const written = row.write(rest, this.column, LONGEST_ROW);
      this.#column = written.column;
      rest = written.rest;
      if (rest !== "") this.startFresh();
    }
  }

  lineFeed(): void {
    if (this.#at === this.#entries.length - 1) this.#addRow(new Row(this.cursor));
    else {
      this.#at++;
      this.#setColumn(0);
    }
  }

  /** Goes to an empty line below everything. */
  startFresh(): void {
    this.#at = this.#entries.length - 1;
    if (this.row.isEmpty && !this.row.isFrozen) this.#setColumn(0);
    else this.#addRow(new Row(this.cursor));
  }

  /** The same, and what lies above can no longer be redrawn: a cleared screen loses nothing that was printed. */
  startPage(): void {
    this.startFresh();
    this.#topLine = this.#lastLine;
  }

  moveTo(line: number, column: number): void {
    this.#thaw();
    const target = Math.max(this.#topLine, Math.min(line, this.#bottomLine));
    if (target !== this.line) this.#at = this.#toLine(target);
    this.#setColumn(Math.max(0, column));
  }

  moveBy(lines: number, columns: number): void {
    this.#thaw();
    this.moveTo(this.line + lines, this.column + columns);
  }

  erase(from: number, to: number): void {
    this.#thaw();
    this.#touch();
    const column = this.column;
    this.row.erase(from, to);
    this.#setColumn(column);
  }

  /** Takes away all lines below the caret's. */
  dropBelow(): void {
    const kept = this.#at + 1;
    this.#lineCount -= this.#entries.length - kept;
    this.#entries.length = kept;
    this.#touch();
  }

  deleteChars(count: number): void {
    this.#thaw();
    this.#touch();
    this.row.deleteAt(this.column, count);
  }

  insertChars(count: number): void {
    this.#thaw();
    this.#touch();
    if (this.row.columns + count <= LONGEST_ROW) this.row.insertAt(this.column, count);
  }

  /** The character before the caret, which a program may ask to have repeated. */
  charBefore(): string {
    return this.row.toCells()[this.column - 1] ?? "";
  }

  /** A line of ours, below everything. */
  note(text: string): void {
    this.startFresh();
    const above = this.#entries[this.#at - 1];
    if (above instanceof Row && above.text === text) return;
    this.row.text = text;
    this.lineFeed();
  }

  /** Everything that changed since the last call goes to `given`. */
  giveAll(): void {
    for (let i = this.#firstChanged; i < this.#entries.length - 1; i++) this.#give(this.#entries[i]);
    const last = this.#entries[this.#entries.length - 1];
    if (last instanceof Row) this.given.addLive(last);
    this.#firstChanged = this.#entries.length - 1;
  }

  get #lastLine(): number {
    return this.#linesGone + this.#lineCount - 1;
  }

  get #bottomLine(): number {
    return Math.max(this.#lastLine, this.#topLine + this.#size.screenRows - 1);
  }

  #setColumn(column: number): void {
    const row = this.row;
    const isFresh = column === 0 && row.cells === null && row.text === "";
    const limit = column < this.#size.cols ? column : Math.max(this.#size.cols - 1, row.columns);
    this.#column = isFresh ? AT_END : Math.min(column, limit);
  }

  #touch(): void {
    if (this.#at < this.#firstChanged) this.#firstChanged = this.#at;
  }

  #addRow(row: Row): void {
    this.#entries.push(row);
    this.#at = this.#entries.length - 1;
    this.#column = AT_END;
    this.#lineCount++;
    this.#topLine = Math.max(this.#topLine, this.#lastLine - this.#size.rows + 1);
    this.#letGo(this.#lastLine - this.#size.rows + 1);
  }

  #addBlock(text: string, lines: AppendedLines): void {
    let count = 0;
    let from = 0;
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", from)) {
      count++;
      // As in #freeze: no line this long is redrawn, whether it came in one chunk or in many.
      if (at - from > LONGEST_ROW) this.#topLine = this.#lastLine + count + 1;
      from = at + 1;
    }
    this.#entries.push({ text, count, cursor: lines.cursor, isAscii: lines.isAscii, isGiven: false });
    this.#lineCount += count;
  }

  /** A line that has lost its beginning can only be continued: anything else goes to a line of its own. */
  #thaw(): void {
    if (this.row.isFrozen) this.startFresh();
  }

  /** Hands out the lines before `line`, which no caret can reach any more. */
  #letGo(line: number): void {
    let count = 0;
    let lines = 0;
    for (const entry of this.#entries) {
      const size = entry instanceof Row ? 1 : entry.count;
      if (this.#linesGone + lines + size > line) break;
      if (count >= this.#firstChanged) this.#give(entry);
      lines += size;
      count++;
    }
    if (count === 0) return;
    this.#entries.splice(0, count);
    this.#at -= count;
    this.#linesGone += lines;
    this.#lineCount -= lines;
    this.#firstChanged = Math.max(0, this.#firstChanged - count);
  }

  #give(entry: Entry | undefined): void {
    if (entry === undefined) return;
    if (entry instanceof Row) this.given.addFinished(entry);
    else if (!entry.isGiven) {
      this.given.addLines(entry.isAscii ? entry.text : makeVisible(entry.text), entry.cursor);
      entry.isGiven = true;
    }
  }

  /** The last line has grown too long: its beginning leaves, and everything above it. */
  #freeze(): void {
    const row = this.row;
    if (row.text.length <= LONGEST_ROW) return;
    this.#letGo(this.#lastLine);
    row.isFrozen = true;
    this.#topLine = this.#lastLine + 1;
    while (row.text.length > LONGEST_ROW) {
      const end = safeCut(row.text, LONGEST_ROW);
      this.given.addBeginning(row, makeVisible(row.text.slice(0, end)));
      row.text = row.text.slice(end);
    }
  }

  /** The entry of that line, unpacked or made if need be. */
  #toLine(line: number): number {
    while (line > this.#lastLine) {
      this.#entries.push(Row.gap(this.cursor));
      this.#lineCount++;
    }
    const distance = line - this.line;
    // Below the caret there are rows only; above it there may be blocks.
    for (let i = 1; i <= -distance; i++) this.#unpack(this.#at - i, -distance - i + 1);
    return this.#at + distance;
  }

  /** Turns the last `wanted` lines of a block into rows. */
  #unpack(at: number, wanted: number): void {
    const block = this.#entries[at];
    if (block === undefined || block instanceof Row) return;
    const count = Math.min(wanted, block.count);
    let from = block.text.length;
    for (let i = 0; i < count; i++) from = from < 2 ? 0 : block.text.lastIndexOf("\n", from - 2) + 1;
    const rows = block.text
      .slice(from, -1)
      .split("\n")
      .map((text) => {
        const row = new Row(block.cursor, text);
        if (block.isGiven) row.given = row.shown();
        return row;
      });
    const rest: Entry[] = from === 0 ? [] : [{ ...block, text: block.text.slice(0, from), count: block.count - count }];
    this.#entries.splice(at, 1, ...rest, ...rows);
    const grown = rest.length + rows.length - 1;
    this.#at += grown;
    if (this.#firstChanged > at) this.#firstChanged += grown;
  }
}

/** Before an ASCII character near `at`, so that no sequence of characters that belong together is torn. */
function safeCut(text: string, at: number): number {
  for (let i = at; i > at - 64; i--) if (text.charCodeAt(i) < 0x80) return i;
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
