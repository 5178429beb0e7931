/** The part of a screen that is worth a small picture, so that its text can be read. Pure. */
import type { Snapshot } from "../snapshot.ts";

/** A picture with fewer columns or rows would be blown up. */
const LEAST = { cols: 60, rows: 15 };
const MOST_ROWS = 24;

/**
 * The rows around the end of the text, as wide as the text. Full-screen programs use the whole screen, and are left as
 * they are.
 */
export function cropSnapshot(snapshot: Snapshot): Snapshot {
  const { cells, lines, wrapped, caret, size, marks, isAlternate } = snapshot;
  if (isAlternate || cells === undefined) return snapshot;
  const lastRow = Math.max(caret.row, ...cells.map((row, index) => (usedCols(row) > 0 ? index : 0)));
  const to = Math.min(size.rows, Math.max(lastRow + 1, LEAST.rows));
  const from = Math.max(0, to - MOST_ROWS);
  const shown = cells.slice(from, to);
  const cols = Math.min(size.cols, Math.max(LEAST.cols, caret.col + 1, ...shown.map(usedCols)));
  return {
    ...snapshot,
    size: { cols, rows: to - from },
    lines: lines.slice(from, to),
    wrapped: wrapped.slice(from, to),
    caret: { ...caret, row: caret.row - from },
    marks: marks.flatMap((mark) => (mark.row < from || mark.row >= to ? [] : [{ ...mark, row: mark.row - from }])),
    cells: shown.map((row) => row.slice(0, cols)),
  };
}

/** Columns up to the last one with text or a background. */
function usedCols(row: NonNullable<Snapshot["cells"]>[number]): number {
  return row.findLastIndex(({ text, bg, inverse }) => text.trim() !== "" || bg !== null || inverse) + 1;
}
