import { expect, test } from "vitest";
import { unfinishedLine } from "./unfinished-line.ts";

test.each([
  ["ls", "ls"],
  ["ls\n", ""],
  ["ls\r", ""],
  ["one\ntwo", "two"],
  ["ls\x7f", "l"],
  ["ls\x08\x08\x08", ""],
  ["ü世\x7f", "ü"],
  ["a🎉\x7f\x7f", ""],
  ["echo one  \x17", "echo "],
  ["ls\x15", ""],
  ["ls\x03", ""],
  ["ls\x1c", ""],
  ["ls\x1a", ""],
  ["ls\x04 -l", "ls -l"],
  ["\x04", ""],
  ["a\x16\x03b", "a\x03b"],
  ["\x16\n", "\n"],
])("after %j the line is %j", (typed, line) => {
  expect(unfinishedLine("", Buffer.from(typed))).toBe(line);
});

test("a line is continued by what is typed later", () => {
  expect(unfinishedLine(unfinishedLine("", Buffer.from("ec")), Buffer.from("ho"))).toBe("echo");
});
