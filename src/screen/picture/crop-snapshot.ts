/** The part of a screen that is worth a small picture, so that its text can be read. Pure. */
import type { Snapshot } from "../snapshot.ts";

/** A picture with fewer columns or rows would be blown up. */
const LEAST = { cols: 60, rows: 15 };
/** With more of them, nobody could read the text in a tile of 300 pixels. */
const MOST = { cols: 72, rows: 18 };
/** What is shown beyond the caret. */
const BEYOND = { cols: 8, rows: 3 };

interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * Of output, the rows around its end, from the first column on. Of a full-screen program, the part around the caret,
 * and as much of the upper left corner as fits.
 */
export function cropSnapshot(snapshot: Snapshot): Snapshot {
  const { cells, lines, wrapped, caret, marks } = snapshot;
  if (cells === undefined) return snapshot;
  const { rows, cols } = snapshot.isAlternate ? aroundCaret(snapshot) : endOf(snapshot, cells);
  return {
    ...snapshot,
    size: { cols: cols.to - cols.from, rows: rows.to - rows.from },
    lines: lines.slice(rows.from, rows.to),
    wrapped: wrapped.slice(rows.from, rows.to),
    caret: { ...caret, row: caret.row - rows.from, col: caret.col - cols.from },
    marks: marks
      .filter(({ row, from, to }) => row >= rows.from && row < rows.to && from < cols.to && to > cols.from)
      .map((mark) => ({ ...mark, row: mark.row - rows.from, ...within(mark, cols) })),
    cells: cells.slice(rows.from, rows.to).map((row) => row.slice(cols.from, cols.to)),
  };
}

interface Part {
  readonly rows: Range;
  readonly cols: Range;
}

function endOf({ caret, size }: Snapshot, cells: NonNullable<Snapshot["cells"]>): Part {
  const lastRow = Math.max(caret.row, ...cells.map((row, index) => (usedCols(row) > 0 ? index : 0)));
  const to = Math.min(size.rows, Math.max(lastRow + 1, LEAST.rows));
  const rows = { from: Math.max(0, to - MOST.rows), to };
  const used = Math.max(caret.col + 1, ...cells.slice(rows.from, to).map(usedCols));
  return { rows, cols: { from: 0, to: Math.min(size.cols, MOST.cols, Math.max(LEAST.cols, used)) } };
}

function aroundCaret({ caret, size }: Snapshot): Part {
  const at = caret.isVisible ? caret : { row: 0, col: 0 };
  return {
    rows: around(at.row + BEYOND.rows, size.rows, MOST.rows),
    cols: around(at.col + BEYOND.cols, size.cols, MOST.cols),
  };
}

/** As near to the beginning as it can be, if `last` is to be in it. */
function around(last: number, size: number, most: number): Range {
  const to = Math.min(size, Math.max(most, last + 1));
  return { from: Math.max(0, to - most), to };
}

function within(mark: Range, { from, to }: Range): Range {
  return { from: Math.max(mark.from, from) - from, to: Math.min(mark.to, to) - from };
}

/** Columns up to the last one with text or a background. */
function usedCols(row: NonNullable<Snapshot["cells"]>[number]): number {
  return row.findLastIndex(({ text, bg, inverse }) => text.trim() !== "" || bg !== null || inverse) + 1;
}
