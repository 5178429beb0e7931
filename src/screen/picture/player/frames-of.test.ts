import { expect, test } from "vitest";
import type { Still } from "../still.ts";
import { framesOf } from "./frames-of.ts";

function still(atMs: number, texts: readonly string[], rest: Partial<Still> = {}): Still {
  const size = { cols: 10, rows: texts.length };
  return { atMs, size, grounds: texts.map(() => ""), texts, caret: undefined, shapes: new Map(), ...rest };
}

test("a frame names only the rows that have changed, and equal rows are stored once", () => {
  const { rows, frames } = framesOf([still(0, ["a", "b"]), still(40, ["a", "a"]), still(80, ["b", "a"])]);

  expect(rows).toEqual(["", "a", "b"]);
  expect(frames.map((frame) => frame.rows)).toEqual([
    [
      [0, 0, 1],
      [1, 0, 2],
    ],
    [[1, 0, 1]],
    [[0, 0, 2]],
  ]);
});

test("rows that a smaller screen does not have become empty", () => {
  const { frames } = framesOf([still(0, ["a", "b"]), still(40, ["a"])]);

  expect(frames[1]?.rows).toEqual([[1, 0, 0]]);
});

test("the caret is part of each frame", () => {
  const caret = { shape: "block", row: 0, col: 2, cols: 1 } as const;
  const { frames } = framesOf([still(0, ["a"], { caret }), still(40, ["b"])]);

  expect(frames.map((frame) => frame.caret)).toEqual([{ path: "M18 0h9v18h-9z", isBlock: true }, null]);
});
