import { describe, expect, test } from "vitest";
import { Digest } from "../../src/text/budget/digest.ts";
import { Cleaner } from "../../src/text/clean/cleaner.ts";
import { foldRepeats } from "../../src/text/fold/fold-repeats.ts";
import { corpusBytes, corpusCases } from "../support/corpus.ts";

const cases = corpusCases();

function read(name: string): string {
  const cleaner = new Cleaner({ cols: 100, rows: 30 });
  cleaner.push(corpusBytes(name));
  cleaner.end();
  return foldRepeats(cleaner.take().text).text;
}

describe("what real programs print", () => {
  test.each(cases.map((item) => [item.name, item.matters]))("%s shows: %s", (name, matters) => {
    expect(read(name)).toContain(matters);
  });

  test.each(cases.map((item) => [item.name]))("%s reads the same in pieces of 7 bytes", (name) => {
    const bytes = corpusBytes(name);
    const cleaner = new Cleaner({ cols: 100, rows: 30 });
    for (let at = 0; at < bytes.length; at += 7) cleaner.push(bytes.subarray(at, at + 7));
    cleaner.end();

    expect(foldRepeats(cleaner.take().text).text).toBe(read(name));
  });

  test.each(cases.map((item) => [item.name]))("%s reads as in its golden file", async (name) => {
    await expect(read(name)).toMatchFileSnapshot(`../golden/${name}.txt`);
  });

  test("within the default budget a model gets every different line, and at most 0.35 of the tokens all together", () => {
    const sizes = cases.map(({ name }) => {
      const bytes = corpusBytes(name);
      const digest = new Digest({ maxTokens: 10_000 }, new Cleaner({ cols: 100, rows: 30 }));
      digest.push(bytes, 0);
      const { text, hiddenLines, cut } = digest.result();
      expect([cut, name === "long-log" || hiddenLines === 0]).toEqual([null, true]);
      return { raw: bytes.length, ours: Buffer.byteLength(text) };
    });
    const sum = (of: "raw" | "ours") => sizes.reduce((total, size) => total + size[of], 0);

    expect(sum("ours") / sum("raw")).toBeLessThanOrEqual(0.35);
  });

  test("a model gets at most 0.35 of the tokens, all together, and of those without the long log", () => {
    const sum = (all: typeof cases, of: (name: string) => number) =>
      all.reduce((total, { name }) => total + of(name), 0);
    const ours = (name: string) => Buffer.byteLength(read(name));
    const raw = (name: string) => corpusBytes(name).length;
    const others = cases.filter(({ name }) => name !== "long-log");

    expect(sum(cases, ours) / sum(cases, raw)).toBeLessThanOrEqual(0.35);
    expect(sum(others, ours) / sum(others, raw)).toBeLessThanOrEqual(0.35);
  });
});
