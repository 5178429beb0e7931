import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Cleaner } from "../clean/cleaner.ts";
import { grep } from "./grep.ts";

const bytes = (...pieces: string[]): Buffer[] => pieces.map((piece) => Buffer.from(piece));

describe("grep", () => {
  test("gives each matching line with its number and its place", async () => {
    expect(await grep(bytes("one\ntwo er", "ror\nthree\n", "error\r\nlast error"), "error")).toEqual({
      lines: [
        { line: 2, cursor: 4, text: "two error", isMatch: true },
        { line: 4, cursor: 20, text: "error", isMatch: true },
        { line: 5, cursor: 27, text: "last error", isMatch: true },
      ],
      matches: 3,
      totalMatches: 3,
      totalLines: 5,
      droppedBytes: 0,
    });
  });

  test("ends a line at a gap, shows nothing across it, and counts what is missing", async () => {
    const around = [Buffer.from("a\nleft"), { droppedBytes: 100, next: 106 }, Buffer.from("right\nb\n")];

    expect((await grep(around, "leftright")).totalMatches).toBe(0);
    expect(await grep(around, "left|right", { context: 1 })).toMatchObject({
      lines: [
        { line: 1, cursor: 0, text: "a" },
        { line: 2, cursor: 2, text: "left" },
        { line: 3, cursor: 106, text: "right" },
        { line: 4, cursor: 112, text: "b" },
      ],
      totalLines: 4,
      droppedBytes: 100,
    });
    expect((await grep(around, "left", { context: 2 })).lines.at(-1)?.text).toBe("left");
    expect((await grep(around, "right", { context: 2 })).lines[0]?.text).toBe("right");
  });

  test("takes each piece's own place where it is given", async () => {
    const apart = [
      { bytes: Buffer.from("one\ntw"), from: 10 },
      { bytes: Buffer.from("o\nthree\n"), from: 50 },
    ];

    expect((await grep(apart, ".")).lines.map(({ cursor, text }) => [cursor, text])).toEqual([
      [10, "one"],
      [14, "two"],
      [52, "three"],
    ]);
  });

  test.each([{ context: -1 }, { maxMatches: 1.5 }, { maxLineChars: 0 }, { from: Number.NaN }])(
    "refuses %o",
    async (options) => {
      await expect(grep([], "x", options)).rejects.toMatchObject({ code: "BAD_OPTION" });
    },
  );

  test("shows lines around a match once, across pieces", async () => {
    const { lines } = await grep(bytes("a\nb\nc\n", "X\nd\nX\n", "e\nf\ng\n"), "X", { context: 2 });

    expect(lines.map(({ line, text, isMatch }) => `${line}${isMatch ? ":" : "-"}${text}`)).toEqual([
      "2-b",
      "3-c",
      "4:X",
      "5-d",
      "6:X",
      "7-e",
      "8-f",
    ]);
  });

  test("counts the matches that it does not give", async () => {
    const result = await grep(bytes("x\n".repeat(50)), "x", { maxMatches: 3 });

    expect([result.lines.length, result.matches, result.totalMatches, result.totalLines]).toEqual([3, 3, 50, 50]);
  });

  test("cuts a long line around its match", async () => {
    const { lines } = await grep(bytes(`${"a".repeat(5_000)}needle${"b".repeat(5_000)}\n`), "needle", {
      maxLineChars: 40,
    });

    expect(lines[0]?.text).toBe(`…${"a".repeat(10)}needle${"b".repeat(24)}…`);
  });

  test("searches a line without end in parts", async () => {
    const piece = Buffer.alloc(300_000, "a");

    const result = await grep([piece, piece, piece, piece, Buffer.from("needle"), piece], "needle", {
      maxLineChars: 10,
    });

    expect([result.totalMatches, result.totalLines, result.lines[0]?.line]).toEqual([1, 1, 1]);
  });

  test("finds in clean text, with a cursor at or before the line", async () => {
    const raw = Buffer.from("\x1b[32mok\x1b[0m\r\n10%\r20%\r\n\x1b[31merror\x1b[0m: x\r\n");
    const cleaner = new Cleaner();
    cleaner.push(raw);

    const { lines } = await grep([cleaner.take()], "^error: x$");

    expect(lines).toEqual([{ line: 3, cursor: expect.any(Number), text: "error: x", isMatch: true }]);
    expect(raw.subarray(lines[0]?.cursor).toString()).toContain("error");
  });

  test("refuses what it cannot search in bounded time", async () => {
    await expect(grep([], "(?=x)")).rejects.toMatchObject({ code: "BAD_PATTERN" });
  });

  test("finds a line among 64 MB", async () => {
    const piece = Buffer.from("an ordinary line of some length, number twelve\n".repeat(1_400));
    const pieces = Array<Buffer>(1_000).fill(piece);
    pieces[500] = Buffer.from("here is the needle\n");

    for (const pattern of ["the needle", "\\bneed\\w+$", "n[e]{2}dle"]) {
      const { lines, totalLines } = await grep(pieces, pattern);
      expect(lines.map(({ line, text }) => [line, text])).toEqual([[700_001, "here is the needle"]]);
      expect(totalLines).toBe(999 * 1_400 + 1);
    }
  });
});

test("finds the lines that a plain search finds, however the text is cut up", async () => {
  const anyText = fc.array(fc.constantFrom("a", "b", "ab", "\n", "x1", "é", " ", "\r\n"), { maxLength: 40 });
  const anyPattern = fc.constantFrom(
    "a",
    "ab",
    "^a",
    "b$",
    "a\\s*b",
    "[^a]b",
    "\\d",
    "x\\d+ ",
    "é",
    "a|b",
    "(?:ab)+",
    "^$",
  );
  await fc.assert(
    fc.asyncProperty(
      anyText,
      anyPattern,
      fc.integer({ min: 1, max: 9 }),
      fc.nat(2),
      async (parts, source, size, context) => {
        const text = parts.join("");
        const all = text.split("\n").map((line) => line.replace(/\r$/, ""));
        if (all.at(-1) === "" && !text.endsWith("\r")) all.pop();
        const matching = all.flatMap((line, i) => (new RegExp(source).test(line) ? [i] : []));
        const wanted = all.flatMap((line, i) =>
          matching.some((at) => Math.abs(at - i) <= context) ? [`${i + 1} ${line}`] : [],
        );
        const whole = Buffer.from(text);
        const pieces: Buffer[] = [];
        for (let at = 0; at < whole.length; at += size) pieces.push(whole.subarray(at, at + size));

        const result = await grep(pieces, source, { context });

        expect(result.lines.map(({ line, text: shown }) => `${line} ${shown}`)).toEqual(wanted);
        expect([result.totalMatches, result.totalLines]).toEqual([matching.length, all.length]);
        for (const { cursor, text: shown } of result.lines) {
          expect(whole.subarray(cursor, cursor + Buffer.byteLength(shown)).toString()).toBe(shown);
        }
      },
    ),
    { numRuns: 2_000 },
  );
});
