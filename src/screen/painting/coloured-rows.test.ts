import { expect, test } from "vitest";
import { BLANK, styled, wide } from "../../../test/support/screen/snapshots.ts";
import { colouredRow } from "./coloured-rows.ts";

test.each([
  ["plain", styled("plain"), "plain"],
  ["blanks at the end", [...styled("a"), ...styled("  "), BLANK], "a"],
  ["nothing written between", [BLANK, BLANK, ...styled("a")], "  a"],
  ["one of eight colours", styled("r", { fg: 1 }), "\x1b[0;31mr\x1b[0m"],
  ["a bright one behind", styled("b", { bg: 12 }), "\x1b[0;104mb\x1b[0m"],
  ["one of 256", styled("c", { fg: 200 }), "\x1b[0;38;5;200mc\x1b[0m"],
  ["a full colour", styled("d", { bg: { r: 1, g: 2, b: 3 } }), "\x1b[0;48;2;1;2;3md\x1b[0m"],
  ["a bar without text", styled("  ", { inverse: true }), "\x1b[0;7m  \x1b[0m"],
  ["attributes", styled("e", { bold: true, underline: "curly", strike: true }), "\x1b[0;1;4:3;9me\x1b[0m"],
  ["plain after bold", [...styled("f", { bold: true }), ...styled("g")], "\x1b[0;1mf\x1b[0mg"],
  ["what nobody can see", [...styled("pw", { invisible: true }), ...styled("h")], "  h"],
  ["a wide one", [...wide("世"), ...styled("i")], "世i"],
  ["a control character", [...styled("\x1b\x9b"), ...styled("j")], "⟨U+001B⟩⟨U+009B⟩j"],
])("%s is written for a terminal", (_name, row, written) => {
  expect(colouredRow(row)).toBe(written);
});

test("a row is cut between characters, never inside a wide one", () => {
  const row = [...styled("a"), ...wide("世"), ...styled("b")];

  expect([1, 2, 3, 4].map((cols) => colouredRow(row, cols))).toEqual(["a", "a", "a世", "a世b"]);
});
