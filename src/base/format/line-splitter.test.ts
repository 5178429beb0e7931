import fc from "fast-check";
import { expect, test } from "vitest";
import { LineSplitter } from "./line-splitter.ts";

const bytes = (text: string) => Buffer.from(text);

test("lines are the same wherever the chunks are cut", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme" }), { maxLength: 8 }), fc.nat(), (words, seed) => {
      const lines = words.map((word) => word.replaceAll("\n", ""));
      const all = bytes(lines.map((line) => `${line}\n`).join(""));
      const step = 1 + (seed % 7);
      const splitter = new LineSplitter(10_000);
      const found = [];
      for (let at = 0; at < all.length; at += step) found.push(...splitter.push(all.subarray(at, at + step)));

      expect(found).toEqual(lines.map((text) => ({ kind: "line", text })));
    }),
  );
});

test("a line that is too long is reported once, and the next one is read", () => {
  const splitter = new LineSplitter(4);

  expect(splitter.push(bytes("abcd\nabc"))).toEqual([{ kind: "line", text: "abcd" }]);
  expect(splitter.push(bytes("de"))).toEqual([]);
  expect(splitter.push(bytes("fghijk"))).toEqual([]);
  expect(splitter.push(bytes("\nok\n"))).toEqual([{ kind: "too-long" }, { kind: "line", text: "ok" }]);
});
