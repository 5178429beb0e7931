/** What holds for all lines that are folded, and for all pieces in which they arrive. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { lines, long } from "../../../test/support/repeated-lines.ts";
import { foldRepeats, RepeatFold, unfoldedByte } from "./fold-repeats.ts";

const fold = (text: string): string => foldRepeats(text).text;
const shortLine = fc.constantFrom(
  "a",
  "b",
  "n 1",
  "n 2",
  "n 3",
  "n 4",
  "10%",
  "20%",
  "88%",
  "10:00:01 x",
  "10:00:02 x",
  "17:00:00 x",
  "é",
  "",
);
const someLine = fc.oneof(shortLine, shortLine.map(long));
const someLines = fc.array(someLine, { maxLength: 40 });

test("a folded text is never longer than it was", () => {
  const alike = fc
    .tuple(fc.constantFrom("", "n ", "é"), fc.nat(9), fc.nat(60))
    .map(([word, from, count]) => Array.from({ length: count }, (_, i) => `${word}${from + i}`));
  const equal = fc.tuple(someLine, fc.nat(9)).map(([line, count]) => Array.from({ length: count }, () => line));
  fc.assert(
    fc.property(fc.array(fc.oneof(alike, equal, someLines), { maxLength: 6 }), (parts) => {
      const text = lines(...parts.flat());
      const folded = foldRepeats(text);

      const [before, after] = [Buffer.byteLength(text), Buffer.byteLength(folded.text)];
      if (folded.foldedLines > 0) expect(after).toBeLessThan(before);
      else expect(folded.text).toBe(text);
    }),
    { numRuns: 2_000 },
  );
});

test("no line is hidden that is like neither neighbour, and every line is counted", () => {
  fc.assert(
    fc.property(someLines, (all) => {
      const folded = foldRepeats(lines(...all));
      const out = folded.text.split("\n").slice(0, -1);

      const counted = out.reduce(
        (sum, line) => sum + (/^\[×(\d+)/.test(line) ? Number(line.slice(2).match(/\d+/)?.[0]) - 1 : 1),
        0,
      );
      expect(counted).toBe(all.length);
      for (const line of all) {
        const isAlone = all.filter((other) => other.replace(/\d+/g, "#") === line.replace(/\d+/g, "#")).length === 1;
        if (isAlone) expect(out).toContain(line);
      }
    }),
    { numRuns: 2_000 },
  );
});

test("a percentage or a time that a fold hides lies between the two that it shows", () => {
  const some = fc.oneof(
    fc.integer({ min: 0, max: 100 }).map((value) => `${value}%`),
    fc.integer({ min: 10, max: 23 }).map((value) => `${value}:00:00`),
  );
  fc.assert(
    fc.property(fc.array(some, { maxLength: 20 }), (all) => {
      let at = 0;
      for (const [last = "", count, first = ""] of runsOf(fold(long(lines(...all))))) {
        const hidden = all.slice(at, at + count).map(Number.parseFloat);
        at += count;
        expect(hidden).toEqual([...hidden].sort((a, b) => a - b));
        expect([hidden[0], hidden.at(-1)]).toEqual([Number.parseFloat(first), Number.parseFloat(last)]);
      }
    }),
    { numRuns: 2_000 },
  );
});

/** The last line, the number of lines and the first line of each run, of one line too. */
function runsOf(folded: string): [string, number, string][] {
  return [...folded.matchAll(/^([^[\n]+)\n(?:\[×(\d+)(?:, the first: (.*))?\]\n)?/gm)].map(
    ([, last = "", count = "1", first = last]) => [last, Number(count), first],
  );
}

test("a place in the folded text leads back to the same line of the original", () => {
  fc.assert(
    fc.property(someLines, (all) => {
      const text = lines(...all, "the end");
      const folded = foldRepeats(text);

      const at = Buffer.byteLength(folded.text.slice(0, folded.text.lastIndexOf("the end")));
      expect(Buffer.from(text).subarray(unfoldedByte(folded, at)).toString()).toBe("the end\n");
    }),
  );
});

test("a text in pieces of any size is folded as a whole", () => {
  const progress = Array.from({ length: 30 }, (_, i) => `${i} % [${"#".repeat(i)}${".".repeat(30 - i)}]`);
  const counted = Array.from({ length: 30 }, (_, i) => `file ${i} of 30`);
  const text = ["one", ...progress, "two", ...counted, ...Array<string>(9).fill("same"), "", "", "", "open"].join("\n");

  for (let size = 1; size < 40; size += 1) {
    const fold = new RepeatFold();
    for (let at = 0; at < text.length; at += size) fold.push(text.slice(at, at + size));
    expect(fold.finish()).toEqual(foldRepeats(text));
  }
});
