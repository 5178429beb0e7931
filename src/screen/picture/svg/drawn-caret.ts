/** Where a picture shows the caret, and in which shape. */
import type { Cell, Snapshot } from "../../snapshot.ts";
import { CELL, rectangle } from "./grid.ts";

export interface DrawnCaret {
  readonly shape: "block" | "underline" | "bar";
  readonly row: number;
  readonly col: number;
  /** 2 where it is a block on a wide character. */
  readonly cols: 1 | 2;
}

/** Never outside the screen, and as a block never on half a character of its `line`. */
export function drawnCaret(
  { caret, size }: Pick<Snapshot, "caret" | "size">,
  line: readonly Cell[] = [],
): DrawnCaret | undefined {
  if (!caret.isVisible || caret.row >= size.rows) return undefined;
  const { row, shape = "block" } = caret;
  const col = Math.min(caret.col, size.cols - 1);
  if (shape !== "block") return { shape, row, col, cols: 1 };
  const { width = 1 } = line[col] ?? {};
  return width === 0 ? { shape, row, col: col - 1, cols: 2 } : { shape, row, col, cols: width };
}

export function caretPath({ shape, row, col, cols }: DrawnCaret): string {
  const [x, y] = [col * CELL.width, row * CELL.height];
  switch (shape) {
    case "block":
      return rectangle(x, y, cols * CELL.width, CELL.height);
    case "underline":
      return rectangle(x, y + CELL.height - 2, CELL.width, 2);
    case "bar":
      return rectangle(x, y, 2, CELL.height);
  }
}
