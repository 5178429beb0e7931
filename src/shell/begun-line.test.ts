import { expect, test } from "vitest";
import { begunAfter } from "./begun-line.ts";

test.each([
  ["a word", "echo", 4],
  ["a whole line", "echo\r", 0],
  ["a line and the beginning of the next", "echo\nec", 2],
  ["Ctrl+C", "echo\x03", 0],
  ["Ctrl+U and another word", "echo\x15ls", 2],
  ["as many backspaces as characters", "ls\x7f\x08", 0],
  ["more backspaces than characters", "l\x7f\x7fls", 2],
])("after %s so many bytes of a line are begun", (_, typed, begun) => {
  expect(begunAfter(0, Buffer.from(typed))).toBe(begun);
});

test("what was begun before counts on", () => {
  expect(begunAfter(3, Buffer.from("o"))).toBe(4);
  expect(begunAfter(3, Buffer.from("\x7f"))).toBe(2);
});
