import { expect, test } from "vitest";
import { partialLineBytes } from "./partial-line.ts";

test.each([
  ["a word", "echo", 4],
  ["a whole line", "echo\r", 0],
  ["a line and the beginning of the next", "echo\nec", 2],
  ["Ctrl+C", "echo\x03", 0],
  ["Ctrl+U and another word", "echo\x15ls", 2],
  ["as many backspaces as characters", "ls\x7f\x08", 0],
  ["more backspaces than characters", "l\x7f\x7fls", 2],
])("%s leaves so many bytes of a partial line", (_, typed, bytes) => {
  expect(partialLineBytes(0, Buffer.from(typed))).toBe(bytes);
});

test("a partial line continues with what is typed next", () => {
  expect(partialLineBytes(3, Buffer.from("o"))).toBe(4);
  expect(partialLineBytes(3, Buffer.from("\x7f"))).toBe(2);
});
