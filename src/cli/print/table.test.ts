import { expect, test } from "vitest";
import { shorten, table } from "./table.ts";

test("columns line up by what is seen, not by what is counted", () => {
  const lines = table(
    [{ title: "ID", align: "right" }, { title: "NAME" }, { title: "LAST" }],
    [
      ["7", "日本", "x"],
      ["123", "e\u0301a", ""],
      ["8", "", "\u001b[31m\nred"],
    ],
  );

  expect(lines).toEqual([" ID  NAME  LAST", "  7  日本  x", "123  e\u0301a", "  8        ⟨U+001B⟩[31m red"]);
});

const TALK = [{ title: "ID", align: "right" }, { title: "PROGRAM", givesWay: true }, { title: "LAST" }] as const;

test.each([
  {
    what: "all of both where there is room",
    maxWidth: 29,
    last: "says little",
    shown: " 7  twelve chars  says little",
  },
  { what: "half of the room each", maxWidth: 20, last: "says very much", shown: " 7  twelve…  says v…" },
  { what: "more of the program where the last line is short", maxWidth: 17, last: "okay", shown: " 7  twelve…  okay" },
  { what: "next to nothing of both", maxWidth: 11, last: "says very much", shown: " 7  twe…  …" },
])("a narrow table shows $what", ({ maxWidth, last, shown }) => {
  const lines = table(TALK, [["7", "twelve chars", last]], { maxWidth });

  expect(lines[1]).toBe(shown);
  expect(lines.every((line) => line.length <= maxWidth)).toBe(true);
});

test.each([
  { text: "short", max: 5, shown: "short" },
  { text: "longer", max: 5, shown: "long…" },
  { text: "日本語", max: 5, shown: "日本…" },
  { text: "日本語", max: 4, shown: "日…" },
  { text: "x", max: 0, shown: "" },
])("$text in $max columns is $shown", ({ text, max, shown }) => {
  expect(shorten(text, max)).toBe(shown);
});
