import { expect, test } from "vitest";
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
  ["one long word", "x".repeat(1_000_000)],
  ["one long alias", `alias ${"x".repeat(1_000_000)};`],
  ["many parentheses", "( ".repeat(500_000)],
  ["many empty functions", "() ".repeat(300_000)],
])("a megabyte of %s is read at once", (_, text) => {
  const startedMs = performance.now();

  namesIn(text);

  // Quadratic time would be hours.
  expect(performance.now() - startedMs).toBeLessThan(20_000);
});
