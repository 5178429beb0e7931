/** The screen at one cursor, as plain data: it can be sent, stored and compared. */
import type { Cursor } from "../base/cursor.ts";
import type { TerminalSize } from "../base/terminal-size.ts";

/** Null is the terminal's default colour; a number from 0 to 255 is an index into its palette. */
export type Colour = null | number | { readonly r: number; readonly g: number; readonly b: number };

/** How a character is underlined. */
export type UnderlineStyle = "none" | "single" | "double" | "curly" | "dotted" | "dashed";

/** One cell of the screen: a character, its colours and its style. */
export interface Cell {
  /** One character with its combining characters; "" in an empty cell, and in the second half of a wide character. */
  readonly text: string;
  /** How many columns it takes. 0: the second half of the wide character before it. */
  readonly width: 0 | 1 | 2;
  readonly fg: Colour;
  readonly bg: Colour;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  readonly underline: UnderlineStyle;
  /** Missing if it is the colour of the text. */
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
  /** The index of that column in the text of the row; beyond its end if only blanks precede it. */
  readonly at: number;
  readonly isVisible: boolean;
  readonly shape?: "block" | "underline" | "bar";
}

/** Part of a row that looks different from what its text says. */
export interface Mark {
  readonly row: number;
  /** The first column. */
  readonly from: number;
  /** The column after the last. */
  readonly to: number;
  /** Its index in the text of the row, which differs from its column after wide or combined characters. */
  readonly start: number;
  readonly end: number;
  /** `highlight`: it stands out, as a selected item does. `hidden`: it is invisible, although it is in `lines`. */
  readonly kind: "highlight" | "hidden";
}

/** The screen at one moment, as data. */
export interface Snapshot {
  /** All output before this cursor is on the screen. */
  readonly cursor: Cursor;
  readonly size: TerminalSize;
  /** The text of each row, hidden text included, without the blanks at its end. */
  readonly lines: readonly string[];
  /** Whether each row continues in the next one, because its text was too long. */
  readonly wrapped: readonly boolean[];
  readonly caret: Caret;
  /** As the program set it; "" if it did not. */
  readonly title: string;
  /** The program has taken the alternate screen, as editors and pagers do. */
  readonly isAlternate: boolean;
  /** Lines that scrolled off the top, oldest first; empty unless asked for. */
  readonly scrollback: readonly string[];
  /** Bytes of output that were already dropped when the screen was drawn, so that it may lack something. */
  readonly missedBytes: number;
  /** What stands out or is hidden, in reading order. */
  readonly marks: readonly Mark[];
  /** One cell per column of each row; only if asked for. */
  readonly cells?: readonly (readonly Cell[])[];
}
