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

  expect(lines).toEqual([" ID  NAME  LAST", "  7  日本  x", "123  e\u0301a", "  8         [31m red"]);
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
