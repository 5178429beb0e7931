import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fitTokens } from "./fit-tokens.ts";
import { truncateMiddle } from "./truncate-middle.ts";

/** Words and signs, as real tokenizers more or less do. */
const words = (text: string): number => text.match(/\w{1,6}|[^\w\s]|\s+/g)?.length ?? 0;

describe("by the estimate", () => {
  test("four bytes are one token", () => {
    const text = "x".repeat(1_001);

    expect(fitTokens(text, 251)).toEqual({ text, originalTokenCount: null, cut: null, tokenCount: 251 });
    expect(fitTokens(text, 250)).toEqual({ ...truncateMiddle(text, 1_000), tokenCount: 250 });
  });

  test("a budget that is no number of tokens is refused", () => {
    expect(() => fitTokens("x", Number.NaN)).toThrow("maxTokens is NaN");
  });
});

describe("by a tokenizer", () => {
  const log = Array.from({ length: 2_000 }, (_, i) => `line ${i}: value=${i * 7}\n`).join("");

  test("the result fits and uses most of the budget", () => {
    const result = fitTokens(log, 500, { tokenizer: words });

    expect(result.tokenCount).toBe(words(result.text));
    expect(result.tokenCount).toBeLessThanOrEqual(500);
    expect(result.tokenCount).toBeGreaterThan(450);
    expect(result.originalTokenCount).toBe(words(log));
  });

  test("a text that fits is left alone", () => {
    expect(fitTokens("a b", 3, { tokenizer: words })).toEqual({
      text: "a b",
      originalTokenCount: null,
      cut: null,
      tokenCount: 3,
    });
  });

  test("a text far beyond the budget is not counted whole", () => {
    let counted = 0;
    const tokenizer = (text: string): number => {
      counted += text.length;
      return words(text);
    };

    const result = fitTokens("word ".repeat(4_000_000), 100, { tokenizer });

    expect(result.originalTokenCount).toBe(5_000_000);
    expect(result.tokenCount).toBeLessThanOrEqual(100);
    expect(counted).toBeLessThan(100_000);
  });

  test("whatever the text, the result fits where the marker does", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 2_000 }), fc.integer({ min: 10, max: 200 }), (text, maxTokens) => {
        const result = fitTokens(text, maxTokens, { tokenizer: words });

        expect(words(result.text)).toBeLessThanOrEqual(maxTokens);
        expect(result.tokenCount).toBe(words(result.text));
      }),
    );
  });
});
