import { expect, test } from "vitest";
import { nearest } from "./nearest.ts";

const KNOWN = ["run", "start", "ls", "attach", "record", "replay", "release", "completion"];

test.each([
  ["atach", "attach"],
  ["attahc", "attach"],
  ["strat", "start"],
  ["sl", "ls"],
  ["rum", "run"],
  ["comp", "completion"],
  ["relese", "release"],
])("%s is taken for %s", (word, meant) => {
  expect(nearest(word, KNOWN)).toBe(meant);
});

test.each(["fly", "", "__proto__", "detachment", "xyzzy"])("%j is like nothing that is known", (word) => {
  expect(nearest(word, KNOWN)).toBeUndefined();
});
