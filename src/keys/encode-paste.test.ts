import fc from "fast-check";
import { expect, test } from "vitest";
import { DEFAULT_MODES } from "../base/terminal-modes.ts";
import { encodePaste } from "./encode-paste.ts";

const BRACKETED = { ...DEFAULT_MODES, bracketedPaste: true };

test.each([
  ["one\ntwo\r\nthree\rfour", "one\rtwo\rthree\rfour"],
  ["a\tb", "a\tb"],
  ["\x1b[31mred\x07\0\x7f\x03", "␛[31mred␇␀␡␃"],
  ["\x9b31m", "\ufffd31m"],
  ["ä 漢 👩‍👩‍👧", "ä 漢 👩‍👩‍👧"],
  ["\x1b[201~rm -rf", "rm -rf"],
  ["\x9b201~x", "x"],
  ["\x1b[20\x1b[201~1~x", "x"],
  ["\x1b[20\x9b201~1~x", "x"],
  ["\x9b2\x1b[20\x9b201~1~01~x", "x"],
  ["\x1b[200~x", "␛[200~x"],
  ["\ud800\x1b[201~", "\ud800"],
  ["", ""],
])("%j is pasted as %j, with marks where the program asked for them", (text, typed) => {
  expect([encodePaste(text, DEFAULT_MODES), encodePaste(text, BRACKETED)]).toEqual([
    typed,
    `\x1b[200~${typed}\x1b[201~`,
  ]);
});

test("nothing but the two marks can be obeyed, whatever the text", () => {
  const pieces = fc.constantFrom(
    "\x1b",
    "[",
    "2",
    "0",
    "1",
    "~",
    "\x9b",
    "\x1b[201~",
    "\x9b201~",
    "x",
    "\r",
    "\x1b[20",
  );

  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
      const pasted = encodePaste(parts.join(""), BRACKETED);
      const inside = pasted.slice(6, -6);
      expect(`\x1b[200~${inside}\x1b[201~`).toBe(pasted);
      expect(inside).toMatch(/^[^\0-\x08\x0a-\x0c\x0e-\x1f\x7f-\x9f]*$/u);
    }),
    { numRuns: 1_000 },
  );
});

test("a megabyte of marks inside each other is removed in one pass", () => {
  const depth = 170_000;

  expect(encodePaste(`${"\x1b[20".repeat(depth)}${"1~".repeat(depth)}`, DEFAULT_MODES)).toBe("");
});
