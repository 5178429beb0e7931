/** The part of a screen that is worth a small picture, so that its text can be read. Pure. */
import type { TerminalSize } from "../../base/terminal-size.ts";
import type { Snapshot } from "../snapshot.ts";

/**
 * The sizes of parts, which all fit a tile. A picture with fewer columns than the first would be blown up, and with
 * more than the last, nobody could read its text in 300 pixels. There are only a few sizes, so that the scale does not
 * change with each line.
 */
const SIZES = [
  { cols: 40, rows: 10 },
  { cols: 52, rows: 13 },
  { cols: 64, rows: 16 },
] as const;
const [, MIDDLE, MOST] = SIZES;
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
  const end = 1 + Math.max(caret.row, ...cells.map((row, index) => (usedCols(row) > 0 ? index : 0)));
  const used = Math.max(caret.col + 1, ...cells.slice(Math.max(0, end - MOST.rows), end).map(usedCols));
  const shown = sizeFor({ cols: used, rows: end });
  const to = Math.min(size.rows, Math.max(end, shown.rows));
  return { rows: { from: Math.max(0, to - shown.rows), to }, cols: { from: 0, to: Math.min(size.cols, shown.cols) } };
}

/** The smallest with room for it. Of many short lines, fewer are shown, and larger. */
function sizeFor({ cols, rows }: TerminalSize): TerminalSize {
  const whole = SIZES.find((size) => size.cols >= cols && size.rows >= rows);
  return whole ?? (cols <= MIDDLE.cols ? MIDDLE : MOST);
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
