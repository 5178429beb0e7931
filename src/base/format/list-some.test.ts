import { expect, test } from "vitest";
import { listSome } from "./list-some.ts";

test.each([
  [[], ""],
  [["a"], "a"],
  [["a", "b"], "a, b"],
  [["a", "b", "c"], "a, b and 1 more"],
  [["a", "b", "c", "d"], "a, b and 2 more"],
])("of %j two words are named and the others are counted", (words, text) => {
  expect(listSome(words, 2)).toBe(text);
});
