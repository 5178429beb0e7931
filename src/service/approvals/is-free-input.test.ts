import { expect, test } from "vitest";
import { parseStroke } from "../../keys/parse-stroke.ts";
import { isFreeInput } from "./is-free-input.ts";

test.each(["Ctrl+C", "ctrl+d", "Up", "PageDown", "Escape", "WheelUp(1,1)"])("%s needs no approval", (key) => {
  expect(isFreeInput([parseStroke(key)])).toBe(true);
});

test.each(["Enter", "Ctrl+J", "Ctrl+M", "Tab", "Ctrl+R", "Click(1,1)", "a"])("%s needs approval", (key) => {
  expect(isFreeInput([parseStroke(key)])).toBe(false);
});

test.each([
  ["\x03", true],
  ["\x03\x03\x04", true],
  ["\x1b[A", true],
  ["\x1b", true],
  ["", true],
  ["\n", false],
  ["\r", false],
  ["\x03ls\n", false],
  ["\x1b:!rm x", false],
  ["\x1bOA\x0f", false],
  ["y", false],
])("the text %j is free: %s", (text, isFree) => {
  expect(isFreeInput([{ kind: "text", text }])).toBe(isFree);
});
