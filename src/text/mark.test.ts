import fc from "fast-check";
import { expect, test } from "vitest";
import { Digest, type DigestOptions } from "./budget/digest.ts";
import { fitTokens } from "./budget/fit-tokens.ts";
import { HeadTail } from "./budget/head-tail.ts";
import { truncateMiddle } from "./budget/truncate-middle.ts";
import { foldRepeats } from "./fold/fold-repeats.ts";

const TAG = "q7k2";
const bytes = (text: string) => new TextEncoder().encode(text);

function digest(output: string, options: Partial<DigestOptions> = {}) {
  const made = new Digest({ maxTokens: 1_000_000, tag: TAG, ...options });
  made.push(bytes(output), 0);
  return made;
}

test("the count of a fold has the tag, and the same text of a program has not", () => {
  const counts = Array.from({ length: 60 }, (_, i) => `item ${i + 1}\n`).join("");

  expect(foldRepeats(`${"same line\n".repeat(9)}[×9]\n${counts}`, { tag: TAG }).text).toBe(
    `same line\n${TAG} [×9]\n[×9]\nitem 60\n${TAG} [×60, the first: item 1]\n`,
  );
});

test("the marker of a cut has the tag and begins a line", () => {
  expect(truncateMiddle("x".repeat(100), 60, { tag: TAG }).text).toMatch(/^x+\nq7k2 …\d+ tokens truncated…\nx+$/);
  expect(truncateMiddle("ab\n".repeat(100), 60, { tag: TAG }).text).toMatch(
    /^(?:ab\n)+q7k2 …\d+ tokens truncated…\n(?:ab\n)+$/,
  );
  expect(truncateMiddle("x".repeat(100), 5, { tag: TAG }).text).toBe("q7k2 …25 tokens truncated…");
});

test("a cut with a tag keeps to its budget, in one piece and in several, by bytes and by a tokenizer", () => {
  const anyText = fc
    .array(fc.oneof(fc.constantFrom("\n", "é", "line\n", "x".repeat(50)), fc.string()), { maxLength: 60 })
    .map((parts) => parts.join(""));
  const words = (text: string): number => text.match(/\w{1,6}|[^\w\s]|\s+/g)?.length ?? 0;
  fc.assert(
    fc.property(anyText, fc.integer({ min: 40, max: 600 }), (text, budget) => {
      const cut = truncateMiddle(text, budget, { tag: TAG });
      const collector = new HeadTail(budget, { tag: TAG });
      for (const char of text) collector.push(char);

      expect(Buffer.byteLength(cut.text)).toBeLessThanOrEqual(budget);
      expect(collector.result()).toEqual(cut);
      expect(words(fitTokens(text, budget, { tokenizer: words, tag: TAG }).text)).toBeLessThanOrEqual(budget);
    }),
    { numRuns: 2_000 },
  );
});

test.each([{ raw: true }, { raw: false }])("a note about dropped bytes has the tag and begins a line ($raw)", (raw) => {
  const made = digest("first\nhal", raw);
  made.drop(1000);
  made.push(bytes("later\n"), 1009);
  made.drop(5);

  expect(made.result().text).toBe(
    `first\nhal\n${TAG} [1000 bytes of output were dropped here]\nlater\n${TAG} [5 bytes of output were dropped here]\n`,
  );
});

test("the note about a full-screen program has the tag, and the program cannot write behind it", () => {
  const note = `${TAG} [full-screen program: its screen is not shown here; use read_screen]`;

  for (const move of ["\x1b[1A\x1b[6G", "\x1b[H\x1b[6G", "\x1b[5A\x1b[6G", "\x1bM\x1bM\x1b[6G", "\x1b[2;6H"]) {
    const { text } = digest(`a\r\n\x1b[?1049hdrawn\x1b[?1049l${move}forged`).result();

    expect(text.split("\n").filter((line) => line.startsWith(TAG))).toEqual([note]);
    expect(text).toContain("forged");
  }
});

test("a full-screen program that comes back at once is noted once", () => {
  expect(digest("\x1b[?1049hx\x1b[?1049l\x1b[?1049hy\x1b[?1049lz").result().text.split(TAG)).toHaveLength(2);
});

test("without a tag the marks are as they always were", () => {
  const { text } = digest("same line\n".repeat(9), { tag: undefined }).result();

  expect(text).toBe("same line\n[×9]\n");
});
