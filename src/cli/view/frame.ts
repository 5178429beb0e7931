/** A session's screen in a person's terminal, which may have another size: lines, and where the caret goes. Pure. */
import type { TerminalSize } from "../../base/terminal-size.ts";
import { colouredRow } from "../../screen/painting/coloured-rows.ts";
import { SHOW_CARET } from "../../screen/painting/terminal-sequences.ts";
import type { Caret, Cell, Snapshot } from "../../screen/snapshot.ts";
import { shorten } from "../print/table.ts";
import { visibleLine } from "../print/visible.ts";

export interface Frame {
  readonly lines: readonly string[];
  /** The sequence that shows the caret where the program has it; "" if it is hidden or outside. */
  readonly caret: string;
}

interface FrameOptions {
  readonly own: TerminalSize;
  /** Shown on the last line if the screen leaves room for it. */
  readonly status: string;
  /** Shown on the last line, over the screen. */
  readonly notice?: string | undefined;
}

/** DECSCUSR, steady shapes. */
const SHAPES: Readonly<Record<NonNullable<Caret["shape"]>, number>> = { block: 2, underline: 4, bar: 6 };

/**
 * If the screen is larger than the terminal, shows the part around the caret. A smaller screen has a line at its right
 * edge, and the status below.
 */
export function frameOf(snapshot: Snapshot, { own, status, notice }: FrameOptions): Frame {
  const { size, caret, cells = [] } = snapshot;
  const top = Math.max(0, Math.min(caret.row - own.rows + 1, size.rows - own.rows));
  const left = firstColumn(snapshot, own.cols);
  const rows = cells.slice(top, top + own.rows).map((row) => shownRow(row, { left, cols: own.cols, size }));
  const below = Array.from({ length: Math.max(0, own.rows - rows.length) }, () => "");
  const lines = [...rows, ...below];
  if (notice !== undefined) lines[own.rows - 1] = `\x1b[7m${fitted(notice, own.cols)}`;
  else if (below.length > 0) lines[own.rows - 1] = `\x1b[2m${fitted(status, own.cols)}`;
  const at = { row: caret.row - top, col: caret.col - left };
  const isCovered = notice !== undefined && at.row === own.rows - 1;
  const isShown = caret.isVisible && !isCovered && at.col >= 0 && at.col < own.cols;
  return { lines, caret: isShown ? `\x1b[${at.row + 1};${at.col + 1}H${shapeOf(caret)}${SHOW_CARET}` : "" };
}

/** Moves by half a window at a time instead of with every character. */
function firstColumn({ caret, size }: Snapshot, cols: number): number {
  if (size.cols <= cols || caret.col < cols || !caret.isVisible) return 0;
  const step = Math.max(1, Math.floor(cols / 2));
  return Math.min(Math.ceil((caret.col - cols + 1) / step) * step, size.cols - 1);
}

interface Part {
  readonly left: number;
  readonly cols: number;
  readonly size: TerminalSize;
}

function shownRow(row: readonly Cell[], { left, cols, size }: Part): string {
  const text = colouredRow(row.slice(left), cols);
  return size.cols < cols ? `${text}\x1b[${size.cols + 1}G\x1b[2m│` : text;
}

function fitted(text: string, cols: number): string {
  return shorten(visibleLine(text), cols);
}

function shapeOf({ shape }: Caret): string {
  return `\x1b[${shape ? SHAPES[shape] : 0} q`;
}
