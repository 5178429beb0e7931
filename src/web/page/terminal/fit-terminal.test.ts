import { expect, test } from "vitest";
import { fontSizeFor, sizeFor } from "./fit-terminal.ts";

const CELL = { width: 0.6, height: 1.2 };

test.each([
  [80, 1_000, 15],
  [200, 1_000, 8],
  [80, 360, 8],
  [120, 1_000, 13.5],
])("%i columns in %i pixels have a font of %f pixels", (cols, width, px) => {
  expect(fontSizeFor({ cols, rows: 24 }, { width, height: 500 }, CELL)).toBe(px);
});

test("a size fills the room, within the bounds of a terminal", () => {
  expect(sizeFor({ width: 900, height: 600 }, CELL, 15)).toEqual({ cols: 100, rows: 33 });
  expect(sizeFor({ width: 1, height: 1 }, CELL, 15)).toEqual({ cols: 20, rows: 5 });
  expect(sizeFor({ width: 99_999, height: 99_999 }, CELL, 15)).toEqual({ cols: 500, rows: 500 });
});
