import { describe, expect, test } from "vitest";
import { lines, long } from "../../../test/support/repeated-lines.ts";
import { foldRepeats } from "./fold-repeats.ts";

const fold = (text: string): string => foldRepeats(text).text;

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
