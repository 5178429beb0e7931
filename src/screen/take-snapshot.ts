/** Takes a snapshot of a drawing: what it shows, as plain data. */
import type { Drawing } from "./drawing/drawing.ts";
import { findMarks } from "./find-marks.ts";
import type { Snapshot } from "./snapshot.ts";

/** What a snapshot is taken of. */
export type Shown = Pick<Drawing, "terminal" | "cursor" | "title" | "missedBytes">;

/** What a snapshot includes. */
export interface SnapshotOptions {
  /** Include `cells`: the attributes and colours of each. Default false. */
  readonly cells?: boolean;
  /** At most this many of the lines that scrolled off the top, 0 to 5,000. Default 0. */
  readonly scrollback?: number;
}

export function takeSnapshot(drawing: Shown, { cells = false, scrollback = 0 }: SnapshotOptions): Snapshot {
  const { terminal } = drawing;
  const { size, isAlternate } = terminal;
  const rows = Array.from({ length: size.rows }, (_, row) => row);
  const above = Math.min(scrollback, terminal.scrolledLines);
  return {
    cursor: drawing.cursor,
    size,
    lines: rows.map((row) => terminal.line(row)),
    wrapped: rows.map((row) => terminal.isWrapped(row)),
    caret: terminal.caret,
    title: drawing.title,
    isAlternate,
    scrollback: Array.from({ length: above }, (_, index) => terminal.line(index - above)),
    missedBytes: drawing.missedBytes,
    marks: findMarks(
      rows.map((row) => terminal.runs(row)),
      { cols: size.cols, isAlternate, textOf: (row, from, to) => terminal.text(row, from, to) },
    ),
    ...(cells ? { cells: rows.map((row) => terminal.cells(row)) } : {}),
  };
}
