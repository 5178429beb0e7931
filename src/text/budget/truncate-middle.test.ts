import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fitTokens } from "./fit-tokens.ts";
import { HeadTail } from "./head-tail.ts";
import { truncateMiddle } from "./truncate-middle.ts";

const MARKER = /…(\d+) tokens truncated…/;
const bytes = (text: string): number => Buffer.byteLength(text);
const markerBytes = (text: string): number => bytes(`…${Math.ceil(bytes(text) / 4)} tokens truncated…`);

describe("what the seed expects", () => {
  test("a budget too small for anything gives the full marker", () => {
    const text = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

    expect(truncateMiddle(text, 16)).toEqual({
      text: "…16 tokens truncated…",
      originalTokenCount: 16,
      cut: { fromByte: 0, toByte: 62 },
    });
  });

  test("cuts lie between lines where there are lines", () => {
    const text = Array.from({ length: 20 }, (_, i) => `${String(i + 1).padStart(3, "0")}\n`).join("");

    expect(truncateMiddle(text, 64)).toEqual({
      text: "001\n002\n003\n004\n…12 tokens truncated…\n017\n018\n019\n020\n",
      originalTokenCount: 20,
      cut: { fromByte: 16, toByte: 64 },
    });
  });

  test("a text that fits is given back as it is", () => {
    expect(truncateMiddle("hello", 5)).toEqual({ text: "hello", originalTokenCount: null, cut: null });
  });

  test("a budget of nothing gives the marker", () => {
    expect(truncateMiddle("hello", 0).text).toBe("…2 tokens truncated…");
  });
});

describe("both ends are kept", () => {
  const ends = (text: string, budget: number) => truncateMiddle(text, budget).text.split(MARKER);

  test("a long last line keeps its end", () => {
    const [head = "", , tail = ""] = ends(`${"A".repeat(1_000_000)} ERROR: build failed\n`, 4_000);

    expect(tail.endsWith("A ERROR: build failed\n")).toBe(true);
    expect(head.length).toBeGreaterThan(1_400);
    expect(tail.length).toBeGreaterThan(1_400);
  });

  test("a short first line before a long one stays, and so does the beginning of the long one", () => {
    const [head = ""] = ends(`$ build\n${"B".repeat(100_000)}\n`, 4_000);

    expect(head.startsWith("$ build\nBBBB")).toBe(true);
    expect(head.length).toBeGreaterThan(1_400);
  });

  test("a line end is preferred where it costs little", () => {
    const [head = "", , tail = ""] = ends("0123456789\n".repeat(1_000), 1_000);

    expect(head.endsWith("9\n")).toBe(true);
    expect(tail.startsWith("\n0123456789\n")).toBe(true);
  });

  test("for any text at least three quarters of each half are used, by bytes and by a tokenizer", () => {
    const line = fc.oneof(fc.constant("\n"), fc.stringMatching(/^[a-z ]{1,400}$/), fc.constant("x".repeat(2_000)));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), fc.integer({ min: 200, max: 4_000 }), (parts, budget) => {
        const text = parts.join("");
        fc.pre(bytes(text) > budget);
        const { cut } = truncateMiddle(text, budget);
        const half = (budget - markerBytes(text)) / 2 - 2;

        expect(cut?.fromByte).toBeGreaterThanOrEqual(Math.floor(half * 0.75));
        expect(bytes(text) - (cut?.toByte ?? 0)).toBeGreaterThanOrEqual(Math.floor(half * 0.75));
        const counted = fitTokens(text, budget, { tokenizer: (each) => each.length });
        expect(counted.tokenCount).toBeGreaterThanOrEqual(Math.floor((budget - 60) * 0.7));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("edges", () => {
  test("the line feed after the marker does not push a line-less text over its budget", () => {
    expect(bytes(truncateMiddle("x".repeat(1000), 100).text)).toBeLessThanOrEqual(100);
  });

  test("a count that swings around a power of ten still fits and is right", () => {
    for (let size = 39_900; size < 40_300; size++) {
      const text = "x".repeat(size);
      for (const budget of [150, 200, 251]) {
        const result = truncateMiddle(text, budget);
        expect(bytes(result.text)).toBeLessThanOrEqual(budget);
        expect(Number(MARKER.exec(result.text)?.[1])).toBe(
          Math.ceil(((result.cut?.toByte ?? 0) - (result.cut?.fromByte ?? 0)) / 4),
        );
      }
    }
  });

  test("a budget that is no number of bytes is refused", () => {
    expect(() => truncateMiddle("x", -1)).toThrow("maxBytes is -1");
    expect(() => truncateMiddle("x", Number.NaN)).toThrow("maxBytes is NaN");
  });

  test("100 MB are cut in one call", () => {
    const text = `${"0123456789abcdef".repeat(64)}\n`.repeat(100_000);

    const result = truncateMiddle(text, 1_000);

    expect(bytes(result.text)).toBeLessThanOrEqual(1_000);
  });
});

const anyText = fc
  .array(
    fc.oneof(fc.constantFrom("\n", "a", "é", "世", "🎉", "\ud83c", "\udf89", "line\n", "x".repeat(50)), fc.string()),
    {
      maxLength: 80,
    },
  )
  .map((parts) => parts.join(""));

test("for any text and budget the result fits, its ends are real parts of the text, and the count is right", () => {
  fc.assert(
    fc.property(anyText, fc.nat(600), (text, budget) => {
      const result = truncateMiddle(text, budget);

      if (bytes(text) <= budget) {
        expect(result.text).toBe(text);
        return;
      }
      if (budget >= markerBytes(text)) expect(bytes(result.text)).toBeLessThanOrEqual(budget);
      const { fromByte, toByte } = result.cut ?? { fromByte: 0, toByte: 0 };
      const whole = Buffer.from(text);
      const marker = `…${Math.ceil((toByte - fromByte) / 4)} tokens truncated…`;
      const head = whole.subarray(0, fromByte).toString();
      const tail = whole.subarray(toByte).toString();
      expect([`${head}${marker}\n${tail}`, marker]).toContain(Buffer.from(result.text).toString());
      expect(result.originalTokenCount).toBe(Math.ceil(bytes(text) / 4));
    }),
    { numRuns: 2_000 },
  );
});

test("a text in pieces is cut as if it had come in one", () => {
  fc.assert(
    fc.property(fc.array(anyText, { maxLength: 12 }), fc.nat(300), (pieces, budget) => {
      const collector = new HeadTail(budget);
      for (const piece of pieces) collector.push(piece);

      expect(collector.result()).toEqual(truncateMiddle(pieces.join(""), budget));
    }),
    { numRuns: 2_000 },
  );
});

test("single units in any number are collected like one text", () => {
  const text = "a🎉\n".repeat(5_000);
  const collector = new HeadTail(128);

  for (let i = 0; i < text.length; i++) collector.push(text.charAt(i));

  expect(collector.result()).toEqual(truncateMiddle(text, 128));
});
