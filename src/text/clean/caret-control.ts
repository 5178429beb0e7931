import type { CsiParams } from "../escape/csi-params.ts";
import type { RedrawArea } from "./rows/redraw-area.ts";
import { StatusLines } from "./rows/status-lines.ts";

/** Carries out the control characters and sequences that move the caret or erase. All others change no text. */
const TAB_COLUMNS = 8;
const EVERYTHING = Number.POSITIVE_INFINITY;
const PRINTS_AGAIN = "b";

export class CaretControl {
  readonly #area: RedrawArea;
  readonly #cols: number;
  readonly #status: StatusLines;
  #saved: { readonly line: number; readonly column: number } | null = null;
  /**
   * The caret was saved and not yet restored: what is drawn at an absolute position now is outside the flow of the
   * output.
   */
  #isAside = false;
  #isOnStatus = false;
  /** The screen was cleared or addressed by rows, so absolute rows count from the top line of the area. */
  #hasPage = false;

  constructor(area: RedrawArea, cols: number) {
    this.#area = area;
    this.#cols = cols;
    this.#status = new StatusLines(() => area.cursor);
  }

  get isAppending(): boolean {
    return !this.#isOnStatus && this.#area.isAppending;
  }

  /** Nothing after or below the caret could be erased. */
  get isAtVeryEnd(): boolean {
    return this.isAppending && this.#status.isEmpty;
  }

  write(text: string): void {
    if (this.#isOnStatus) this.#status.write(text);
    else this.#area.write(text);
  }

  giveStatus(): void {
    this.#status.giveAll(this.#area.given);
  }

  startPage(): void {
    this.#area.startPage();
    this.#hasPage = true;
    this.#isOnStatus = false;
    this.#isAside = false;
  }

  carriageReturn(): void {
    if (this.#isOnStatus) this.#status.setColumn(0);
    else this.#area.moveTo(this.#area.line, 0);
  }

  lineFeed(): void {
    if (this.#isOnStatus) {
      this.#status.moveBy(1, 0);
      this.#status.setColumn(0);
    } else this.#area.lineFeed();
  }

  backspace(): void {
    this.#moveBy(0, -1);
  }

  /** A tab at the end of a line stays a tab; inside a line it only moves the caret. */
  tab(): void {
    if (this.#isOnStatus) this.#status.write(" ");
    else if (this.#area.column >= this.#area.row.columns) this.#area.write("\t");
    else this.#moveBy(0, TAB_COLUMNS - (this.#area.column % TAB_COLUMNS));
  }

  escape(final: string): void {
    if (final === "7") this.#save();
    else if (final === "8") this.#restore();
    else if (final === "D") this.#moveBy(1, 0);
    else if (final === "M") this.#moveBy(-1, 0);
    else if (final === "E") this.lineFeed();
    else if (final === "c") this.startPage();
  }

  csi(final: string, params: CsiParams): void {
    const count = params.get(0, 1);
    if (final === "A" || final === "F") this.#moveBy(-count, 0);
    else if (final === "B" || final === "E" || final === "e") this.#moveBy(count, 0);
    else if (final === "C" || final === "a") this.#moveBy(0, count);
    else if (final === "D") this.#moveBy(0, -count);
    else if (final === "G" || final === "`") this.#setColumn(count - 1);
    else if (final === "H" || final === "f") this.#moveTo(count - 1, params.get(1, 1) - 1);
    else if (final === "d") this.#moveTo(count - 1, this.#isOnStatus ? 0 : this.#area.column);
    else if (final === "J") this.#eraseScreen(params.get(0, 0));
    else if (final === "K") this.#eraseLine(params.get(0, 0));
    else if (final === "s") this.#save();
    else if (final === "u") this.#restore();
    else if (!this.#isOnStatus) this.#edit(final, count);
    if (final === "E" || final === "F") this.carriageReturn();
  }

  #edit(final: string, count: number): void {
    const area = this.#area;
    const few = Math.min(count, this.#cols);
    if (final === "P") area.deleteChars(count);
    else if (final === "@") area.insertChars(few);
    else if (final === "X") area.erase(area.column, area.column + count);
    else if (final === PRINTS_AGAIN) area.write(area.charBefore().repeat(few));
  }

  #eraseLine(mode: number): void {
    if (this.#isOnStatus) this.#status.eraseLine(mode);
    else if (mode === 0) this.#area.erase(this.#area.column, EVERYTHING);
    else if (mode === 1) this.#area.erase(0, this.#area.column + 1);
    else if (mode === 2) this.#area.erase(0, EVERYTHING);
  }

  #eraseScreen(mode: number): void {
    const area = this.#area;
    // An erase from the top of the page erases all of it. What the page showed was printed, so it stays in the text.
    const isWholePage = this.#hasPage && area.line === area.topLine && area.column === 0;
    if (mode === 2 || (mode === 0 && !this.#isOnStatus && isWholePage)) this.startPage();
    else if (mode === 0 && this.#isOnStatus) this.#status.eraseLine(0);
    else if (mode === 0) {
      area.erase(area.column, EVERYTHING);
      area.dropBelow();
      // Status lines are at the bottom of the screen.
      this.#status.clear();
    }
  }

  #moveBy(lines: number, columns: number): void {
    if (this.#isOnStatus) this.#status.moveBy(lines, columns);
    else this.#area.moveBy(lines, columns);
  }

  #setColumn(column: number): void {
    if (this.#isOnStatus) this.#status.setColumn(column);
    else this.#area.moveTo(this.#area.line, column);
  }

  #moveTo(line: number, column: number): void {
    if (this.#isAside) {
      this.#isOnStatus = true;
      this.#status.moveTo(line, column);
      return;
    }
    if (!this.#hasPage) this.startPage();
    this.#area.moveTo(this.#area.topLine + line, column);
  }

  #save(): void {
    if (this.#isOnStatus) return;
    this.#saved = { line: this.#area.line, column: this.#area.row.isEmpty ? 0 : this.#area.column };
    this.#isAside = true;
  }

  #restore(): void {
    this.#isAside = false;
    const wasAside = this.#isOnStatus;
    this.#isOnStatus = false;
    if (this.#saved === null) return;
    const { line, column } = this.#saved;
    // After a status line the caret is where it was, and the line continues to grow.
    if (wasAside && this.#area.line === line) return;
    this.#area.moveTo(line, column);
  }
}
