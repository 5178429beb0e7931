import type { Row } from "../clean/rows/row.ts";

/** A journal cursor for a place in clean text: the line at byte `textByte` began at journal byte `cursor`. */
export interface CursorMark {
  readonly textByte: number;
  readonly cursor: number;
}

/** Enough to find a cut to within a fraction of a percent, and few enough to keep. */
const MOST_MARKS = 4_096;

/**
 * The text for a reader, in the order of the lines, each in its state at that time. Remembers which unfinished line the
 * reader saw last: if it only grew, its continuation follows; if it was rewritten, it is repeated on a new line.
 */
export class GivenText {
  #pieces: string[] = [];
  #bytes = 0;
  #marks: CursorMark[] = [];
  /** Lines between two marks; doubles whenever there are too many marks. */
  #stride = 1;
  #sinceMark = 0;
  #open: Row | null = null;

  get bytes(): number {
    return this.#bytes;
  }

  take(): { readonly text: string; readonly marks: readonly CursorMark[] } {
    const taken = { text: this.#pieces.join(""), marks: this.#marks };
    this.#pieces = [];
    this.#bytes = 0;
    this.#marks = [];
    this.#stride = 1;
    this.#sinceMark = 0;
    return taken;
  }

  /** Whole lines that are new to the reader. */
  addLines(text: string, cursor: number): void {
    this.#endOpenLine();
    this.#mark(cursor);
    this.#add(text);
  }

  addFinished(row: Row): void {
    if (row.isGap && row.isEmpty) return;
    this.#addRow(row, row.shown());
    if (this.#open === row) this.#endOpenLine();
  }

  /** The line that is not finished yet. */
  addLive(row: Row): void {
    const text = row.shown();
    // Erased, perhaps only briefly: nothing to show.
    if (text !== "") this.#addRow(row, text);
  }

  /** The beginning of a line too long to hold; the rest of it follows. */
  addBeginning(row: Row, text: string): void {
    this.#addRow(row, text);
    if (this.#open !== row) this.#open = row;
    row.given = "";
  }

  /** A line outside the flow of the output, such as a status line at the bottom of the screen. */
  addAside(row: Row): void {
    const text = row.shown();
    if (text === "" || text === row.given) return;
    this.#addRow(row, text);
    this.#endOpenLine();
  }

  #addRow(row: Row, text: string): void {
    const given = row.given;
    row.given = text;
    if (this.#open === row && given !== null) {
      if (text.startsWith(given)) {
        this.#add(text.slice(given.length));
        return;
      }
      if (text === "") return;
    } else if (given !== null && (text === given || text === "")) return;
    this.#endOpenLine();
    this.#mark(row.cursor);
    this.#add(text);
    this.#open = row;
  }

  #endOpenLine(): void {
    if (this.#open === null) return;
    this.#open = null;
    this.#add("\n");
  }

  #add(text: string): void {
    if (text === "") return;
    this.#pieces.push(text);
    this.#bytes += Buffer.byteLength(text);
  }

  #mark(cursor: number): void {
    if (this.#sinceMark++ % this.#stride !== 0) return;
    this.#marks.push({ textByte: this.#bytes, cursor });
    if (this.#marks.length <= MOST_MARKS) return;
    this.#marks = this.#marks.filter((_, i) => i % 2 === 0);
    this.#stride *= 2;
  }
}
