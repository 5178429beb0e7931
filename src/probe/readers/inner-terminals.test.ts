import { expect, test } from "vitest";
import { fits } from "./inner-terminals.ts";

const outer = { cols: 80, rows: 24 };

test.each([
  ["a relay", { cols: 80, rows: 24 }, true],
  ["a relay with a status line", { cols: 80, rows: 23 }, true],
  ["a window of an editor", { cols: 80, rows: 11 }, false],
  ["a column of an editor", { cols: 40, rows: 24 }, false],
  ["a terminal without a size", { cols: 0, rows: 0 }, false],
  ["a larger terminal", { cols: 80, rows: 25 }, false],
])("the inner terminal of %s has the size of the outer one: %o, %s", (_, inner, isSo) => {
  expect(fits(inner, outer)).toBe(isSo);
});
