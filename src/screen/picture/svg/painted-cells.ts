/** The cells of a snapshot in the colours that a person sees, the caret included. */

import { charWidth } from "../../../text/clean/char-width.ts";
import { PLAIN_LOOK } from "../../drawing/cells.ts";
import type { Cell, Snapshot, UnderlineStyle } from "../../snapshot.ts";
import { type DrawnCaret, drawnCaret } from "./drawn-caret.ts";
import { colourOf, paintOf } from "./palette.ts";
import type { Theme } from "./theme.ts";

export interface PaintedCell {
  /** "" where there is nothing to draw. */
  readonly text: string;
  readonly row: number;
  readonly col: number;
  readonly width: 1 | 2;
  readonly fg: string;
  readonly bg: string;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly underline: UnderlineStyle;
  readonly underlineColour: string;
  readonly strike: boolean;
  readonly overline: boolean;
}

export function paintedCells(snapshot: Snapshot, theme: Theme): readonly (readonly PaintedCell[])[] {
  const { cols, rows } = snapshot.size;
  const cells = (snapshot.cells ?? snapshot.lines.map(cellsOfLine)).slice(0, rows).map((line) => line.slice(0, cols));
  const caret = drawnCaret(snapshot, cells[snapshot.caret.row]);
  return cells.map((line, row) => {
    const painted = paintedRow(line, row, theme);
    return caret?.shape === "block" && caret.row === row ? withCaret(painted, caret, theme) : painted;
  });
}

/** One row, without the caret. */
export function paintedRow(line: readonly Cell[], row: number, theme: Theme): readonly PaintedCell[] {
  return line.flatMap((cell, col) => (cell.width === 0 ? [] : [paint(cell, theme, { row, col })]));
}

/** The row that a block stands on. */
export function withCaret(row: readonly PaintedCell[], { col }: DrawnCaret, theme: Theme): readonly PaintedCell[] {
  return row.map((cell) => (cell.col === col ? { ...cell, fg: theme.background, bg: theme.caret } : cell));
}

function paint(cell: Cell, theme: Theme, place: { readonly row: number; readonly col: number }): PaintedCell {
  const { fg, bg } = paintOf(cell, theme);
  const { bold, italic, underline, strike, overline, underlineColor = null } = cell;
  return {
    text: cell.invisible || cell.text.trim() === "" ? "" : cell.text,
    ...place,
    width: cell.width === 2 ? 2 : 1,
    fg,
    bg,
    bold,
    italic,
    underline,
    underlineColour: colourOf(underlineColor, theme, fg),
    strike,
    overline,
  };
}

/** A snapshot without attributes is drawn in the terminal's own colours. */
function cellsOfLine(line: string): readonly Cell[] {
  const cells: Cell[] = [];
  for (const char of line) {
    const width = charWidth(char);
    const last = cells.at(-1);
    if (width === 0) {
      if (last !== undefined) cells[cells.length - 1] = { ...last, text: last.text + char };
      continue;
    }
    cells.push({ ...PLAIN_LOOK, text: char, width });
    if (width === 2) cells.push({ ...PLAIN_LOOK, text: "", width: 0 });
  }
  return cells;
}
