import { expect, test } from "vitest";
import { snapshotOf, styled } from "../../../test/support/screen/snapshots.ts";
import type { Snapshot } from "../snapshot.ts";
import { cropSnapshot } from "./crop-snapshot.ts";

/** A screen of 160 columns and 40 rows, with the caret behind the last line. */
function screen(lines: readonly string[], given: Partial<Snapshot> = {}): Snapshot {
  const rows = Array.from({ length: 40 }, (_, row) => [...styled((lines[row] ?? "").padEnd(160))]);
  const caret = { row: Math.max(0, lines.length - 1), col: lines.at(-1)?.length ?? 0, at: 0, isVisible: true };
  return snapshotOf(rows, { caret, ...given });
}

test("a short output is shown with few rows and columns", () => {
  const cropped = cropSnapshot(screen(["$ make", "done", "$ "]));

  expect(cropped.size).toEqual({ cols: 60, rows: 15 });
  expect(cropped.cells?.map((row) => row.length)).toEqual(Array(15).fill(60));
  expect(cropped.caret).toMatchObject({ row: 2, col: 2 });
});

test("of a long output the end is shown, as wide as can be read", () => {
  const lines = Array.from({ length: 40 }, (_, row) => (row === 39 ? "x".repeat(100) : `${row}`));
  const cropped = cropSnapshot(screen(lines));

  expect(cropped.size).toEqual({ cols: 72, rows: 18 });
  expect(cropped.cells?.[0]?.slice(0, 2).map(({ text }) => text)).toEqual(["2", "2"]);
  expect(cropped.caret.row).toBe(17);
});

const numbered = Array.from({ length: 40 }, (_, row) => `${row} `.padEnd(160, "0123456789"));
const caretAt = (row: number, col: number, isVisible = true) => ({ caret: { row, col, at: 0, isVisible } });

test.each([
  ["near the top", caretAt(3, 10), "0 ", { row: 3, col: 10 }],
  ["at the bottom", caretAt(39, 0), "22", { row: 17, col: 0 }],
  ["on the right", caretAt(3, 159), "67", { row: 3, col: 71 }],
  ["in the middle", caretAt(20, 80), "56", { row: 14, col: 63 }],
])("of a full-screen program with its caret %s, that part is shown", (_, given, corner, caret) => {
  const cropped = cropSnapshot(screen(numbered, { isAlternate: true, ...given }));

  expect(cropped.size).toEqual({ cols: 72, rows: 18 });
  expect(
    cropped.cells?.[0]
      ?.slice(0, 2)
      .map(({ text }) => text)
      .join(""),
  ).toBe(corner);
  expect(cropped.caret).toMatchObject(caret);
});

test("of a full-screen program that hides its caret, the upper left corner is shown, and marks stay in place", () => {
  const mark = { row: 2, from: 60, to: 100, start: 60, end: 100, kind: "highlight" as const };
  const marks = [mark, { ...mark, row: 30 }, { ...mark, from: 90 }];
  const cropped = cropSnapshot(screen(numbered, { isAlternate: true, marks, ...caretAt(39, 159, false) }));

  expect(cropped.cells?.[0]?.[0]?.text).toBe("0");
  expect(cropped.marks).toEqual([{ ...mark, to: 72 }]);
});

test("a small full-screen program is shown whole", () => {
  const rows = Array.from({ length: 10 }, () => [...styled("~".padEnd(40))]);
  const whole = snapshotOf(rows, { isAlternate: true, caret: { row: 9, col: 39, at: 0, isVisible: true } });

  expect(cropSnapshot(whole).size).toEqual({ cols: 40, rows: 10 });
});
