import { expect, test } from "vitest";
import { isLinear } from "../../../test/support/measure/thread-cpu-ms.ts";
import { namesIn } from "./definitions-of.ts";

test.each([
  ["ls() { rm x; }", ["ls"]],
  ["function git { rm x; }; cd /", ["git"]],
  ["echo hi; cat () (rm x)", ["cat"]],
  ["git status", []],
])("%j defines %j", (command, names) => {
  expect(namesIn(command)).toEqual(names);
});

test("an alias defines at least its name", () => {
  expect(namesIn("alias ls='rm x' ll=ls")).toEqual(expect.arrayContaining(["ls", "ll"]));
  expect(namesIn("hash -p /tmp/evil git")).toContain("git");
});

test.each([
  ["one long word", (count: number) => "x".repeat(count)],
  ["one long alias", (count: number) => `alias ${"x".repeat(count)};`],
  ["many parentheses", (count: number) => "( ".repeat(count)],
  ["many empty functions", (count: number) => "() ".repeat(count)],
])("%s are read in linear time", (_, text) => {
  expect(isLinear((count) => namesIn(text(count)), 10_000)).toBe(true);
});
