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

  expect(cropped.size).toEqual({ cols: 40, rows: 10 });
  expect(cropped.cells?.map((row) => row.length)).toEqual(Array(10).fill(40));
  expect(cropped.caret).toMatchObject({ row: 2, col: 2 });
});

const rows = (count: number, last: string) =>
  Array.from({ length: count }, (_, row) => (row === count - 1 ? last : `${row}`));

test.each([
  [
    "of a long output with a long line, the end and the beginning of its lines",
    rows(40, "x".repeat(100)),
    [64, 16],
    24,
  ],
  ["of a long output with short lines, the end, larger", rows(40, "x"), [52, 13], 27],
  ["a short output with a long line, from its first row on", rows(5, "x".repeat(60)), [64, 16], 0],
  ["an output of some rows, as large as can be", rows(12, "x"), [52, 13], 0],
])("%s is shown", (_, lines, [cols, height], first) => {
  const cropped = cropSnapshot(screen(lines));

  expect(cropped.size).toEqual({ cols, rows: height });
  expect(
    cropped.cells?.[0]
      ?.map(({ text }) => text)
      .join("")
      .trim(),
  ).toBe(`${first}`);
  expect(cropped.caret.row).toBe(lines.length - 1 - first);
});

const numbered = Array.from({ length: 40 }, (_, row) => `${row} `.padEnd(160, "0123456789"));
const caretAt = (row: number, col: number, isVisible = true) => ({ caret: { row, col, at: 0, isVisible } });

test.each([
  ["near the top", caretAt(3, 10), "0 ", { row: 3, col: 10 }],
  ["at the bottom", caretAt(39, 0), "24", { row: 15, col: 0 }],
  ["on the right", caretAt(3, 159), "45", { row: 3, col: 63 }],
  ["in the middle", caretAt(20, 80), "34", { row: 12, col: 55 }],
])("of a full-screen program with its caret %s, that part is shown", (_, given, corner, caret) => {
  const cropped = cropSnapshot(screen(numbered, { isAlternate: true, ...given }));

  expect(cropped.size).toEqual({ cols: 64, rows: 16 });
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
  expect(cropped.marks).toEqual([{ ...mark, to: 64 }]);
});

test("a small full-screen program is shown whole", () => {
  const rows = Array.from({ length: 10 }, () => [...styled("~".padEnd(40))]);
  const whole = snapshotOf(rows, { isAlternate: true, caret: { row: 9, col: 39, at: 0, isVisible: true } });

  expect(cropSnapshot(whole).size).toEqual({ cols: 40, rows: 10 });
});
