import { expect, test } from "vitest";
import { beforeCaret, hasDrawn, placesCaret } from "./shown-tail.ts";

const bytes = (text: string) => Buffer.from(text);

test.each([
  ["hello\r\n> ", "> "],
  ["\x1b[1G\x1b[0J> \x1b[3G", "> "],
  ["> 6 * 7\r\n", ""],
  ["> abc\x1b[2D", "> a"],
  ["progress\r", ""],
  ["\x1b[?1049h\x1b[H\x1b[2Jone\r\nbash-5.2# ", "bash-5.2# "],
  ["\x1b[3;1H43\x1b[4;1Hfar$ ", "far$ "],
  ["", ""],
])("before the caret of %j is %j", (output, line) => {
  expect(beforeCaret(bytes(output), 80)).toBe(line);
});

test.each([
  ["\x1b[?1049h\x1b[2J\x1b[H", false],
  ["old text\x1b[?1049h\x1b[2J", false],
  ["\x1b[?1049h\x1b[2J    \r\n   ", false],
  ["\x1b[?1049h\x1b[2J~", true],
  ["\x1b[48;5;232m      \x1b[0m", false],
  ["row 12", true],
])("%j has drawn something: %s", (output, isDrawn) => {
  expect(hasDrawn(bytes(output))).toBe(isDrawn);
});

test.each([
  ["\x1b[2A", true],
  ["\x1b[3;1H", true],
  ["\x1b[1F", true],
  ["\x1b[1G\x1b[0J> ", false],
  ["\x1b[31mred\x1b[0m\r\n", false],
])("%j moves the caret up or to a place: %s", (output, isPlacing) => {
  expect(placesCaret(bytes(output))).toBe(isPlacing);
});
