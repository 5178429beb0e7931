import { expect, test } from "vitest";
import { bundleLines, joinPieces } from "./bundle-lines.ts";

test("pieces that do not fit into a line are continued in the next", () => {
  expect(joinPieces(["aaaa", "bbbb", "cc"], 10)).toBe("aaaabbbb\\\ncc\n");
});

test("a line end within a piece begins a new line", () => {
  expect(joinPieces(["aa\nbb", "cccccc", "d"], 10)).toBe("aa\nbbcccccc\\\nd\n");
});

test("lines are bundled as far as they fit, the last one alone", () => {
  expect(bundleLines("aa\nbb\ncc\ndd\n", 6)).toEqual(["aa\nbb\n", "cc\n", "dd\n"]);
  expect(bundleLines("aa\n", 6)).toEqual(["aa\n"]);
  expect(bundleLines("aaaaaaaa\nbb\n", 6)).toEqual(["aaaaaaaa\n", "bb\n"]);
});
