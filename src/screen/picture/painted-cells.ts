/** The cells of a snapshot in the colours that a person sees, the caret included. */

import { charWidth } from "../../output/char-width.ts";
import { PLAIN_LOOK } from "../cells.ts";
import type { Caret, Cell, Snapshot, UnderlineStyle } from "../snapshot.ts";
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
  const cells = snapshot.cells ?? snapshot.lines.map(cellsOfLine);
  const at = caretCell(snapshot.caret, { cols, rows }, cells);
  return cells.slice(0, rows).map((line, row) =>
    line.slice(0, cols).flatMap((cell, col): readonly PaintedCell[] => {
      if (cell.width === 0) return [];
      const painted = paint(cell, theme, { row, col });
      const isUnderCaret = at !== undefined && at.row === row && at.col === col;
      return [isUnderCaret ? { ...painted, fg: theme.background, bg: theme.caret } : painted];
    }),
  );
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

/** Where a block is drawn: never beside the screen, never on half a character. */
function caretCell(
  caret: Caret,
  { cols, rows }: Snapshot["size"],
  cells: readonly (readonly Cell[])[],
): { readonly row: number; readonly col: number } | undefined {
  if (!caret.isVisible || (caret.shape ?? "block") !== "block" || caret.row >= rows) return undefined;
  const col = Math.min(caret.col, cols - 1);
  return { row: caret.row, col: cells[caret.row]?.[col]?.width === 0 ? col - 1 : col };
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
