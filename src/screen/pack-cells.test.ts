import { expect, test } from "vitest";
import { BLANK, styled, wide } from "../../test/support/screen/snapshots.ts";
import { packRow, unpackRow } from "./pack-cells.ts";
import type { Cell } from "./snapshot.ts";

const RED = { fg: 1, bold: true } as const;

test.each<[string, readonly Cell[]]>([
  ["nothing", []],
  ["blanks", [BLANK, BLANK, BLANK]],
  ["text", styled("hello")],
  ["colours", [...styled("a"), ...styled("bc", RED), ...styled("d", { bg: { r: 1, g: 2, b: 3 } }), BLANK]],
  ["coloured blanks", [{ ...BLANK, bg: 4 }, { ...BLANK, bg: 4 }, BLANK]],
  ["wide characters", [...wide("世"), ...styled("x"), ...wide("🎉", RED)]],
  ["combined characters", [{ ...BLANK, text: "e\u0301" }, ...styled("f")]],
  [
    "halves of characters",
    [
      { ...BLANK, text: "\ud83c" },
      { ...BLANK, text: "\udf89" },
    ],
  ],
  ["underlines", styled("u", { underline: "curly", underlineColor: 3 })],
])("a row of %s is the same after packing", (_what, row) => {
  expect(unpackRow(JSON.parse(JSON.stringify(packRow(row))))).toEqual(row);
});

test("a row that is mostly empty takes little space", () => {
  const row = [...styled("$ ls"), ...Array.from({ length: 196 }, () => BLANK)];

  expect(JSON.stringify(packRow(row)).length).toBeLessThan(50);
});
