import { expect, test } from "vitest";
import { KnownSecrets } from "../../safety/redaction/known-secrets.ts";
import type { Cell, Snapshot } from "../../screen/snapshot.ts";
import { redactSnapshot } from "./redact-snapshot.ts";

const known = new KnownSecrets();
known.add("hunter2-Xy");
known.add("密码密码");

function cellsOf(line: string, cols: number): Cell[] {
  const style = { fg: null, bg: null, bold: false, dim: false, italic: false, underline: "none" as const };
  const rest = { blink: false, inverse: false, invisible: false, strike: false, overline: false };
  return Array.from({ length: cols }, (_, col) => ({ text: line[col] ?? "", width: 1, ...style, ...rest }));
}

function screen(
  lines: readonly string[],
  { cols, wrapped = [] }: { cols: number; wrapped?: readonly boolean[] },
): Snapshot {
  return {
    cursor: 0,
    size: { cols, rows: lines.length },
    lines,
    wrapped: lines.map((_, row) => wrapped[row] ?? false),
    caret: { row: 0, col: 0, at: 0, isVisible: true },
    title: "",
    isAlternate: false,
    scrollback: [],
    missedBytes: 0,
    marks: [],
    cells: lines.map((line) => cellsOf(line, cols)),
  };
}

const textOf = (cells: readonly Cell[]) => cells.map(({ text }) => text || " ").join("");

test("a secret that the edge of the screen breaks is masked on both rows", () => {
  const shown = redactSnapshot(screen(["token: hunt", "er2-Xy end"], { cols: 11, wrapped: [true] }), known);

  expect(shown.lines).toEqual(["token: ****", "****** end"]);
  expect(shown.cells?.map(textOf)).toEqual(["token: ****", "****** end "]);
});

test("also if the program broke it itself, at the last column", () => {
  const shown = redactSnapshot(screen(["hunt", "er2-", "Xy"], { cols: 4 }), known);

  expect(shown.lines).toEqual(["****", "****", "**"]);
});

test("rows that do not continue are not joined", () => {
  const given = screen(["hunt", "er2-Xy"], { cols: 40 });

  expect(redactSnapshot(given, known)).toEqual(given);
});

test("a wide character becomes a wide mask, so that columns stay", () => {
  expect(redactSnapshot(screen(["a 密码密码 b"], { cols: 40 }), known).lines).toEqual(["a ＊＊＊＊ b"]);
});

test("lines that scrolled off are searched together with the screen", () => {
  const given = { ...screen(["er2-Xy"], { cols: 4 }), scrollback: ["hunt"] };

  const shown = redactSnapshot(given, known);

  expect([shown.scrollback, shown.lines]).toEqual([["****"], ["******"]]);
});
