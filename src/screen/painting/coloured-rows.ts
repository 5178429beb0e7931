/** A snapshot as rows with colours and attributes, for the person's terminal. Pure. */

import { charWidth } from "../../text/clean/char-width.ts";
import { makeVisible } from "../../text/clean/make-visible.ts";
import type { Cell, Colour, Snapshot, UnderlineStyle } from "../snapshot.ts";

/** The numbers of SGR 4:N. */
const UNDERLINES: readonly UnderlineStyle[] = ["none", "single", "double", "curly", "dotted", "dashed"];
const RESET = "\x1b[0m";

/** One string per row, each beginning and ending without attributes. Needs `cells`; omits trailing blanks. */
export function colouredRows({ cells = [] }: Snapshot): string[] {
  return cells.map((row) => colouredRow(row));
}

/** The first columns of a row, without a wide character that would be cut. */
export function colouredRow(row: readonly Cell[], cols: number = Number.POSITIVE_INFINITY): string {
  const end = row.findLastIndex((cell) => !isBlank(cell)) + 1;
  let look = "";
  let text = "";
  let width = 0;
  for (const cell of row.slice(0, end)) {
    if (cell.width === 0) continue;
    const shown = textOf(cell);
    width += widthOf(shown, cell);
    if (width > cols) break;
    const next = sgrOf(cell);
    if (next !== look) text += next === "" ? RESET : `\x1b[0;${next}m`;
    look = next;
    text += shown;
  }
  return look === "" ? text : text + RESET;
}

/** Characters that would act on the terminal or deceive the reader are shown by their numbers. */
function textOf({ text, invisible, width }: Cell): string {
  // Hidden text stays hidden, even in a terminal that ignores SGR 8.
  return text === "" || invisible ? " ".repeat(width) : makeVisible(text);
}

/** Wider than the cell if a character is shown by its number. */
function widthOf(shown: string, { text, invisible, width }: Cell): number {
  if (invisible || text === "" || shown === text) return width;
  return Array.from(shown).reduce((sum, char) => sum + charWidth(char), 0);
}

/** Whether the cell looks the same as a blank after the end of a line. */
function isBlank(cell: Cell): boolean {
  const { width, bg, inverse, underline, strike, overline } = cell;
  const isDrawn = bg !== null || inverse || underline !== "none" || strike || overline;
  return width === 1 && !isDrawn && textOf(cell).trim() === "";
}

/** The numbers of an SGR sequence; "" for plain text. */
export function sgrOf(cell: Omit<Cell, "text" | "width" | "invisible">): string {
  return [
    ...(cell.bold ? ["1"] : []),
    ...(cell.dim ? ["2"] : []),
    ...(cell.italic ? ["3"] : []),
    ...underlineOf(cell.underline),
    ...(cell.blink ? ["5"] : []),
    ...(cell.inverse ? ["7"] : []),
    ...(cell.strike ? ["9"] : []),
    ...(cell.overline ? ["53"] : []),
    ...colourOf(cell.fg, 30),
    ...colourOf(cell.bg, 40),
  ].join(";");
}

/** A plain underline uses the form that every terminal knows. */
function underlineOf(style: UnderlineStyle): readonly string[] {
  if (style === "none") return [];
  return [style === "single" ? "4" : `4:${UNDERLINES.indexOf(style)}`];
}

/** `base` is 30 for the foreground, 40 for the background. */
function colourOf(colour: Colour, base: 30 | 40): readonly string[] {
  if (colour === null) return [];
  if (typeof colour === "object") return [`${base + 8};2;${colour.r};${colour.g};${colour.b}`];
  if (colour < 8) return [String(base + colour)];
  return [colour < 16 ? String(base + 60 + colour - 8) : `${base + 8};5;${colour}`];
}
