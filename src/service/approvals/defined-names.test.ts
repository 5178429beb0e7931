import { expect, test } from "vitest";
import { namesDefinedBy } from "./defined-names.ts";

test.each([
  ["ls() { rm x; }", ["ls"]],
  ["function git { rm x; }; cd /", ["git"]],
  ["echo hi; cat () (rm x)", ["cat"]],
  ["git status", []],
])("%j defines %j", (command, names) => {
  expect(namesDefinedBy(command)).toEqual(names);
});

test("an alias defines at least its name", () => {
  expect(namesDefinedBy("alias ls='rm x' ll=ls")).toEqual(expect.arrayContaining(["ls", "ll"]));
  expect(namesDefinedBy("hash -p /tmp/evil git")).toContain("git");
});
