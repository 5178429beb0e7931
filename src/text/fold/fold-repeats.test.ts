import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { foldRepeats, RepeatFold, unfoldedByte } from "./fold-repeats.ts";

const lines = (...all: string[]): string => all.map((line) => `${line}\n`).join("");
const fold = (text: string): string => foldRepeats(text).text;
/** Makes lines so long that to fold three of them is worth it: the cases below are short, to be read. */
const REST = ` ${"and so on, ".repeat(12)}`;
const long = (text: string): string =>
  text.replace(/^(?!\[×\d+[\],])(.+)$/gm, `$1${REST}`).replace(/^(\[×\d+, .*)\]$/gm, `$1${REST}]`);

describe("folds", () => {
  test.each([
    ["equal lines", lines("a", "x", "x", "x", "x", "x", "b"), lines("a", "x", "[×5]", "b")],
    ["a counter", lines("item 1", "item 2", "item 3"), lines("item 3", "[×3, the first: item 1]")],
    ["a counter that goes down", lines("3 left", "2 left", "1 left"), lines("1 left", "[×3, the first: 3 left]")],
    [
      "a counter beside a fixed number",
      lines("[8/40] cc a.o", "[9/40] cc a.o", "[10/40] cc a.o"),
      lines("[10/40] cc a.o", "[×3, the first: [8/40] cc a.o]"),
    ],
    ["a percentage", lines("10% done", "35% done", "100% done"), lines("100% done", "[×3, the first: 10% done]")],
    [
      "a percentage with its bar",
      lines("10% [#---------]", "50% [#####-----]", "60% [######----]"),
      lines("60% [######----]", "[×3, the first: 10% [#---------]]"),
    ],
    [
      "a percentage that stays for a while",
      lines("10% done", "35% done", "35% done", "35.5% done"),
      lines("35.5% done", "[×4, the first: 10% done]"),
    ],
    [
      "times of a log, a minute or less apart",
      lines("2026-01-01T23:59:00Z ping", "2026-01-01T23:59:07Z ping", "2026-01-02T00:00:07Z ping"),
      lines("2026-01-02T00:00:07Z ping", "[×3, the first: 2026-01-01T23:59:00Z ping]"),
    ],
    [
      "times with fractions, not evenly apart",
      lines("10:00:59,998 tick", "10:01:00,001 tick", "10:01:00,001 tick", "10:01:31,000 tick"),
      lines("10:01:31,000 tick", "[×4, the first: 10:00:59,998 tick]"),
    ],
    [
      "times far apart, evenly but for a little",
      lines("09:00:01 backup ok", "10:00:02 backup ok", "11:00:01 backup ok", "12:01:30 backup ok"),
      lines("12:01:30 backup ok", "[×4, the first: 09:00:01 backup ok]"),
    ],
    [
      "times with a zone, and fractions without their last zeros",
      lines("2026-01-01T10:00:00+01:00 a", "2026-01-01T10:00:00.5+01:00 a", "2026-01-01T10:00:00.75+01:00 a"),
      lines("2026-01-01T10:00:00.75+01:00 a", "[×3, the first: 2026-01-01T10:00:00+01:00 a]"),
    ],
    [
      "times since the start of the kernel",
      lines("[    9.900000] usb reset", "[   10.000000] usb reset", "[   12.500000] usb reset"),
      lines("[   12.500000] usb reset", "[×3, the first: [    9.900000] usb reset]"),
    ],
    [
      "a log up to a pause, and after it",
      lines("10:00:01 x", "10:00:02 x", "10:00:03 x", "14:30:00 x", "14:30:01 x", "14:30:02 x"),
      lines("10:00:03 x", "[×3, the first: 10:00:01 x]", "14:30:02 x", "[×3, the first: 14:30:00 x]"),
    ],
    [
      "two runs in a row",
      lines("a 1", "a 2", "a 3", "b", "b", "b", "b", "b"),
      lines("a 3", "[×3, the first: a 1]", "b", "[×5]"),
    ],
    [
      "a run that begins with the second of two lines alike",
      lines("n 1", "n 5", "n 6", "n 7"),
      lines("n 1", "n 7", "[×3, the first: n 5]"),
    ],
  ])("%s", (_, text, expected) => {
    expect(fold(long(text))).toBe(long(expected));
  });
});

describe("leaves alone", () => {
  test.each([
    ["two equal lines", lines("x", "x", "y")],
    ["blank lines", "a\n\n\n\n\nb\n"],
    ["a number that jumps", lines("exit code 0", "exit code 0", "exit code 1", "exit code 0")],
    ["numbers without a step", lines("took 12 ms", "took 15 ms", "took 11 ms", "took 90 ms")],
    ["an unfinished last line", "x\nx\nx"],
    ["lines that differ in a word", lines("ok a 1", "ok b 2", "ok c 3")],
    ["numbers too long to count with", lines("9007199254740993", "9007199254740994", "9007199254740995")],
    ["percentages that fall", lines("disk 12% used", "disk 88% used", "disk 43% used", "disk 5% used")],
    ["percentages of more than a whole", lines("cpu 110%", "cpu 250%", "cpu 390%")],
    ["times that fall", lines("login at 10:01:02", "login at 11:59:00", "login at 03:12:44", "login at 23:00:00")],
    [
      "times that jump ahead",
      lines("login at 03:12:44", "login at 10:01:02", "login at 11:59:00", "login at 23:00:00"),
    ],
    ["times of several forms", lines("at 10:00", "at 10:00:30", "at 2026-01-01 10:00:31")],
    [
      "times of several zones",
      lines("2026-01-01T10:00:00+01:00", "2026-01-01T10:00:01+02:00", "2026-01-01T10:00:02+01:00"),
    ],
    ["no lines", ""],
  ])("%s", (_, short) => {
    for (const text of [short, long(short)]) {
      expect(foldRepeats(text)).toEqual({ text, foldedLines: 0, hiddenLines: 0, joints: [] });
    }
  });
});

describe("folds only what becomes shorter", () => {
  const counted = (to: number): string => lines(...Array.from({ length: to }, (_, i) => `${i + 1}`));

  test.each([
    ["equal lines, as short as their count", lines("x", "x", "x"), lines("x", "x", "x")],
    ["one more of them", lines("x", "x", "x", "x", "x"), lines("x", "[×5]")],
    ["short lines with a counter", lines("item 1", "item 2", "item 3"), lines("item 1", "item 2", "item 3")],
    ["numbers that take less than what is told of them", counted(30), counted(30)],
    ["more of them", counted(50), lines("50", "[×50, the first: 1]")],
  ])("%s", (_, text, expected) => {
    expect(fold(text)).toBe(expected);
  });
});

test("four equal lines stay, and so do different ones if only equal lines are folded", () => {
  const braces = lines("    },", "    },", "    },", "    },");
  const ports = lines(...Array.from({ length: 60 }, (_, i) => `worker listening on port ${3000 + i}`));

  expect(fold(braces)).toBe(braces);
  expect(foldRepeats(ports + "same\n".repeat(9), { lines: "equal" }).text).toBe(`${ports}same\n[×9]\n`);
});

test("lines are hidden where neither they nor their like are shown", () => {
  expect(foldRepeats(long(lines("x", "x", "x", "x"))).hiddenLines).toBe(0);
  expect(foldRepeats(long(lines("n 1", "n 2", "n 3", "n 4", "x", "5%", "6%", "9%"))).hiddenLines).toBe(3);
});

test("one error among 20,000 lines stays, and so do its neighbours", () => {
  const all = Array.from({ length: 20_000 }, (_, i) => (i === 9_999 ? "ERROR disk full" : `INFO item ${i} ok`));

  expect(fold(lines(...all))).toBe(
    lines(
      "INFO item 9998 ok",
      "[×9999, the first: INFO item 0 ok]",
      "ERROR disk full",
      "INFO item 19999 ok",
      "[×10000, the first: INFO item 10000 ok]",
    ),
  );
});

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
