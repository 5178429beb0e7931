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

test("of a long output the end is shown, as wide as its text", () => {
  const lines = Array.from({ length: 40 }, (_, row) => (row === 39 ? "x".repeat(100) : `${row}`));
  const cropped = cropSnapshot(screen(lines));

  expect(cropped.size).toEqual({ cols: 101, rows: 24 });
  expect(cropped.cells?.[0]?.[0]?.text).toBe("1");
  expect(cropped.cells?.[0]?.[1]?.text).toBe("6");
  expect(cropped.caret.row).toBe(23);
});

test("a full-screen program is shown whole", () => {
  const whole = screen(["~"], { isAlternate: true });

  expect(cropSnapshot(whole)).toBe(whole);
});
