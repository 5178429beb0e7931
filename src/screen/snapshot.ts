/** The screen at one cursor, as plain data: it can be sent, stored and compared. */

/** The terminal's own default, an index into the palette of 256, or a colour given in full. */
import type { Cursor } from "../base/cursor.ts";
import type { TerminalSize } from "../base/terminal-size.ts";
/** Null is the terminal's own colour, a number from 0 to 255 an entry of its palette. */
export type Colour = null | number | { readonly r: number; readonly g: number; readonly b: number };

/** How a character is underlined. */
export type UnderlineStyle = "none" | "single" | "double" | "curly" | "dotted" | "dashed";

/** One cell of the screen: a character, its colours and its style. */
export interface Cell {
  /** One character with what is combined with it; "" where nothing was written, and behind a wide one. */
  readonly text: string;
  /** Columns that it takes. 0: the second half of the wide character before it. */
  readonly width: 0 | 1 | 2;
  readonly fg: Colour;
  readonly bg: Colour;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  readonly underline: UnderlineStyle;
  /** Left out where it is that of the text. */
  readonly underlineColor?: Colour;
  readonly blink: boolean;
  readonly inverse: boolean;
  readonly invisible: boolean;
  readonly strike: boolean;
  readonly overline: boolean;
}

/** Where the next character goes. */
export interface Caret {
  /** From 0, at the top. */
  readonly row: number;
  /** From 0, at the left; equal to the number of columns when the next character goes to the next line. */
  readonly col: number;
  /** Where that is in the text of the row; beyond its end where only blanks stand before it. */
  readonly at: number;
  readonly isVisible: boolean;
  readonly shape?: "block" | "underline" | "bar";
}

/** Part of a row that a person would see differently from the text alone. */
export interface Mark {
  readonly row: number;
  /** The first column. */
  readonly from: number;
  /** The column after the last. */
  readonly to: number;
  /** Where it begins in the text of the row: not its column, where characters are wide or combined. */
  readonly start: number;
  readonly end: number;
  /** `highlight`: it stands out, as a selected item does. `hidden`: it cannot be seen, though it is in `lines`. */
  readonly kind: "highlight" | "hidden";
}

/** The screen at one moment, as data. */
export interface Snapshot {
  /** All output before this place is on the screen. */
  readonly cursor: Cursor;
  readonly size: TerminalSize;
  /** One text per row, as it stands there, hidden text included; blanks at its end left off. */
  readonly lines: readonly string[];
  /** Whether each row goes on in the next one, because the text was too long for it. */
  readonly wrapped: readonly boolean[];
  readonly caret: Caret;
  /** As the program set it; "" where it did not. */
  readonly title: string;
  /** The program has taken the alternate screen, as editors and pagers do. */
  readonly isAlternate: boolean;
  /** Lines that left the screen at the top, the oldest first; empty unless asked for. */
  readonly scrollback: readonly string[];
  /** Bytes of output that were no longer kept when the screen was built, so that it may lack something; 0 for none. */
  readonly missedBytes: number;
  /** What stands out or is hidden, in the order of reading. */
  readonly marks: readonly Mark[];
  /** Per row, each with one cell per column; only where asked for. */
  readonly cells?: readonly (readonly Cell[])[];
}
