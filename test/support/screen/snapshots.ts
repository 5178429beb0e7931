/** Snapshots made by hand, for tests of what is drawn from them. */
import { PLAIN_LOOK } from "../../../src/screen/drawing/cells.ts";
import type { Cell, Snapshot } from "../../../src/screen/snapshot.ts";

export const BLANK: Cell = { text: "", width: 1, ...PLAIN_LOOK };

/** One cell per character, all with the same attributes. */
export function styled(text: string, attributes: Partial<Cell> = {}): readonly Cell[] {
  return Array.from(text, (char) => ({ ...BLANK, text: char, ...attributes }));
}

/** A character of two columns. */
export function wide(text: string, attributes: Partial<Cell> = {}): readonly Cell[] {
  return [
    { ...BLANK, text, ...attributes, width: 2 },
    { ...BLANK, ...attributes, text: "", width: 0 },
  ];
}

/** As wide and as high as the rows need; without a caret unless one is given. */
export function snapshotOf(rows: readonly (readonly Cell[])[], changes: Partial<Snapshot> = {}): Snapshot {
  const cols = Math.max(1, ...rows.map((row) => row.length));
  return {
    cursor: 0,
    size: { cols, rows: rows.length },
    lines: rows.map((row) => row.map(({ text }) => text).join("")),
    wrapped: rows.map(() => false),
    caret: { row: 0, col: 0, at: 0, isVisible: false },
    title: "",
    isAlternate: false,
    scrollback: [],
    missedBytes: 0,
    marks: [],
    cells: rows.map((row) => [...row, ...Array.from({ length: cols - row.length }, () => BLANK)]),
    ...changes,
  };
}
