/** A snapshot as rows for a person's own terminal, with colours and attributes. Pure. */
import type { Cell, Colour, Snapshot, UnderlineStyle } from "../../screen/snapshot.ts";

/** As SGR 4:N has them. */
const UNDERLINES: readonly UnderlineStyle[] = ["none", "single", "double", "curly", "dotted", "dashed"];
/** A cell that does something to the terminal instead of being shown. */
const CONTROL = /[\0-\x1f\x7f-\x9f]/g;
const RESET = "\x1b[0m";

/** One text per row, each of which begins and ends plain. Needs `cells`; blanks at the end are left off. */
export function colouredRows({ cells = [] }: Snapshot): string[] {
  return cells.map((row) => colouredRow(row));
}

/** The first columns of a row; a wide character that does not fit as a whole is left out. */
export function colouredRow(row: readonly Cell[], cols: number = row.length): string {
  const shown = row.slice(0, row[cols]?.width === 0 ? cols - 1 : cols);
  const end = shown.findLastIndex((cell) => !isBlank(cell)) + 1;
  let look = "";
  let text = "";
  for (const cell of shown.slice(0, end)) {
    if (cell.width === 0) continue;
    const next = lookOf(cell);
    if (next !== look) text += next === "" ? RESET : `\x1b[0;${next}m`;
    look = next;
    text += textOf(cell);
  }
  return look === "" ? text : text + RESET;
}

function textOf({ text, invisible, width }: Cell): string {
  const safe = text.replaceAll(CONTROL, "");
  // What a person could not see there is not to be seen here either, whatever this terminal makes of SGR 8.
  return safe === "" || invisible ? " ".repeat(width) : safe;
}

/** It leaves the terminal as it is behind the end of a line. */
function isBlank(cell: Cell): boolean {
  const { width, bg, inverse, underline, strike, overline } = cell;
  const isDrawn = bg !== null || inverse || underline !== "none" || strike || overline;
  return width === 1 && !isDrawn && textOf(cell).trim() === "";
}

/** The numbers of an SGR sequence; "" for plain text. */
function lookOf(cell: Cell): string {
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

/** The plain one in the form that every terminal knows. */
function underlineOf(style: UnderlineStyle): readonly string[] {
  if (style === "none") return [];
  return [style === "single" ? "4" : `4:${UNDERLINES.indexOf(style)}`];
}

/** `base` is 30 for text, 40 for what is behind it. */
function colourOf(colour: Colour, base: 30 | 40): readonly string[] {
  if (colour === null) return [];
  if (typeof colour === "object") return [`${base + 8};2;${colour.r};${colour.g};${colour.b}`];
  if (colour < 8) return [String(base + colour)];
  return [colour < 16 ? String(base + 60 + colour - 8) : `${base + 8};5;${colour}`];
}
