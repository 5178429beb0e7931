import fc from "fast-check";
import { expect, test } from "vitest";
import { Digest, type DigestOptions } from "./digest.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function digest(output: string, options: Partial<DigestOptions> = {}, chunkBytes = 1 << 20) {
  const made = new Digest({ maxTokens: 1_000_000, ...options });
  const all = bytes(output);
  for (let at = 0; at < all.length; at += chunkBytes) made.push(all.subarray(at, at + chunkBytes), at);
  return made.result();
}

test("gives clean and folded text, and nothing else when nothing was cut", () => {
  const reading = digest(`\x1b[31mred\x1b[0m\r\n${"same\r\n".repeat(5)}`);

  expect(reading).toEqual({
    text: "red\nsame\n[×5]\n",
    originalTokenCount: null,
    cut: null,
    droppedBytes: 0,
    hiddenLines: 0,
  });
});

test("gives the bytes as they came when asked for raw", () => {
  expect(digest("\x1b[31mred\x1b[0m\r\n", { raw: true }).text).toBe("\x1b[31mred\x1b[0m\r\n");
});

test("leaves repeated lines alone when folding is off", () => {
  expect(digest("a\na\na\n", { fold: false }).text).toBe("a\na\na\n");
});

test("a character cut by a chunk is whole, raw or clean", () => {
  expect(digest("aé🎉世b", {}, 1).text).toBe("aé🎉世b");
  expect(digest("aé🎉世b", { raw: true }, 1).text).toBe("aé🎉世b");
});

test("says where bytes were dropped, and counts them", () => {
  const made = new Digest({ maxTokens: 1000 });
  made.push(bytes("first\nhal"), 0);
  made.drop(1000);
  made.push(bytes("later\n"), 1009);

  const reading = made.result();

  expect(reading.text).toBe("first\nhal\n[1000 bytes of output were dropped here]\nlater\n");
  expect(reading.droppedBytes).toBe(1000);
});

test("a sequence or a character that dropped bytes cut in two takes nothing of what follows with it", () => {
  const texts = ["x\x1b]0;half a title", "x\x1b[3", "x\xe4"].map((incomplete) => {
    const made = new Digest({ maxTokens: 1000 });
    made.push(Buffer.from(incomplete, "latin1"), 0);
    made.drop(10);
    made.push(bytes("later\n"), 100);
    return made.result().text.split("\n").at(-2);
  });

  expect(texts).toEqual(["later", "later", "later"]);
});

test.each([{ raw: true }, { raw: false }, { raw: false, fold: false }])(
  "what was cut lies within the range that is named ($raw, $fold)",
  (options) => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom("a", "b", "é", " "), maxLength: 30 }), {
          minLength: 3,
          maxLength: 200,
        }),
        fc.integer({ min: 10, max: 60 }),
        fc.integer({ min: 1, max: 500 }),
        (lines, maxTokens, chunkBytes) => {
          const output = lines.map((line, index) => `${index} ${line}\n`).join("");
          const { text, cut } = digest(output, { maxTokens, ...options }, chunkBytes);
          if (cut === null) return;
          const [head = "", tail = ""] = text.split(/…\d+ tokens truncated…\n?/);
          const named = Buffer.from(bytes(output)).subarray(cut.from, cut.to).toString();
          const missing =
            options.fold === false || options.raw ? output.slice(head.length, output.length - tail.length) : "";

          expect(named).toContain(missing);
          expect(cut.from).toBeLessThan(cut.to);
        },
      ),
    );
  },
);

test("a tokenizer of one's own decides what fits", () => {
  const words = (text: string) => text.split(/\s+/).filter(Boolean).length;
  const output = Array.from({ length: 1000 }, (_, index) => `word${index * 7919}\n`).join("");

  const reading = digest(output, { maxTokens: 50, tokenizer: words, fold: false });

  expect(words(reading.text)).toBeLessThanOrEqual(50);
  expect(words(reading.text)).toBeGreaterThan(30);
  expect(reading.cut).not.toBeNull();
});

test("an output of many pieces is cut as one", () => {
  const line = (index: number) => `line ${index} of an output ${"x".repeat(index % 50)}\n`;
  const output = Array.from({ length: 60_000 }, (_, index) => line(index)).join("");

  const reading = digest(output, { maxTokens: 100, fold: false });

  const [head, tail] = reading.text.split(/…\d+ tokens truncated…\n/);
  expect(output.startsWith(head ?? "-")).toBe(true);
  expect(output.endsWith(tail ?? "-")).toBe(true);
  expect(reading.originalTokenCount).toBe(Math.ceil(output.length / 4));
});

test("the tokens before the cut are those of the text before the fold", () => {
  const output = Array.from({ length: 100_000 }, (_, index) => `${index + 1}\n`).join("");
  const halves = (text: string) => Math.ceil(text.length / 2);

  expect(digest(output, { maxTokens: 0 }).originalTokenCount).toBe(Math.ceil(output.length / 4));
  expect(digest("x\n".repeat(5), { maxTokens: 0 }).originalTokenCount).toBe(3);
  // What a fold has taken out can no longer be counted: it is estimated.
  const counted = digest(output, { maxTokens: 10, tokenizer: halves }).originalTokenCount ?? 0;
  expect(counted).toBeGreaterThan(Math.ceil(output.length / 4));
  expect(counted).toBeLessThan(Math.ceil(output.length / 4) + 50);
  expect(digest("x\n".repeat(5), { maxTokens: 3, tokenizer: halves }).originalTokenCount).toBeGreaterThan(0);
});

test("lines that a fold hides are counted over all pieces, and none without a fold", () => {
  const output = Array.from({ length: 200_000 }, (_, index) => `${index + 1}\n`).join("");

  const { text, hiddenLines } = digest(output, { maxTokens: 1_000 });

  expect(hiddenLines).toBe(200_000 - 2 * (text.match(/the first/g)?.length ?? 0));
  expect(digest(output, { fold: false }).hiddenLines).toBe(0);
  expect(digest(output, { raw: true }).hiddenLines).toBe(0);
});

test("lines that differ are folded only if the text would not fit otherwise", () => {
  const output = Array.from({ length: 60 }, (_, index) => `worker listening on port ${3000 + index}\n`).join("");

  expect(digest(output)).toMatchObject({ text: output, hiddenLines: 0, cut: null });
  expect(digest(output, { maxTokens: 100 })).toMatchObject({
    text: "worker listening on port 3059\n[×60, the first: worker listening on port 3000]\n",
    hiddenLines: 58,
    cut: null,
  });
});

test("the end of a text that is far too long is folded, however many pieces back it begins", () => {
  const words = ["ash", "elm", "fir", "oak", "yew"];
  const different = Array.from({ length: 200_000 }, (_, i) => `${words[i % 5]} ${(i * 7919) % 100_003}\n`).join("");
  const equal = (word: string) => `${word}\n`.repeat(300_000);

  const { text, cut } = digest(`${different}${equal("alder")}${equal("birch")}last\n`, { maxTokens: 1_000 });

  const ends = text.split("\n");
  const folded = ends.slice(ends.indexOf("alder"));
  const counts = folded.filter((line) => /^\[×\d+\]$/.test(line)).map((line) => Number(line.slice(2, -1)));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(600_000);
  expect(folded.filter((line) => !line.startsWith("[")).slice(-2)).toEqual(["last", ""]);
  expect(cut?.to).toBeLessThanOrEqual(different.length);
});

test("a long text is folded in small steps at its end, with the same result as at once", () => {
  const log = Array.from({ length: 100_000 }, (_, i) => `worker ${i % 3}: request ${i} took ${i % 50} ms\n`).join("");
  const [atOnce, inSteps] = [new Digest({ maxTokens: 1_000 }), new Digest({ maxTokens: 1_000 })];
  for (const made of [atOnce, inSteps]) made.push(Buffer.from(log), 0);

  const steps = [...inSteps.finishing()].length;

  expect(steps).toBeGreaterThan(20);
  expect(inSteps.result()).toEqual(atOnce.result());
});

test("equal lines are folded although the text fits, and a text of equal lines alone hides nothing", () => {
  const output = `${"same\n".repeat(500_000)}end\n`;

  const { text, hiddenLines, cut } = digest(output, { maxTokens: 100 });

  expect(text.replaceAll(/\[×\d+\]\n/g, "").replaceAll("same\n", "")).toBe("end\n");
  expect([hiddenLines, cut]).toEqual([0, null]);
});

test.each([{ raw: false }, { raw: true }, { raw: false, tag: "q7k2" }])(
  "a note about dropped bytes is not cut away, and the marker counts them (%o)",
  (options) => {
    const made = new Digest({ maxTokens: 100, fold: false, ...options });
    made.push(bytes("first line\n".repeat(300)), 0);
    made.drop(1_000_000);
    made.push(bytes("last line\n".repeat(300)), 1_003_300);

    const { text, originalTokenCount } = made.result();

    const [, tokens, dropped] =
      /…(\d+) tokens truncated…\n.*\[(\d+) bytes of output were dropped here\]\n/.exec(text) ?? [];
    expect(text.startsWith("first line\n") && text.endsWith("last line\n")).toBe(true);
    expect(dropped).toBe("1000000");
    expect(Number(tokens)).toBeGreaterThan(251_000);
    expect(originalTokenCount).toBeGreaterThanOrEqual(Math.ceil((1_000_000 + 6_300) / 4));
    expect(originalTokenCount).toBeLessThan(Math.ceil((1_000_000 + 6_300) / 4) + 20);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(400);
  },
);

test("a note about dropped bytes is not cut away by a tokenizer either", () => {
  const words = (text: string) => text.split(/\s+/).filter(Boolean).length;
  const made = new Digest({ maxTokens: 60, fold: false, tokenizer: words });
  made.push(bytes("first line\n".repeat(900)), 0);
  made.drop(5_000);
  made.push(bytes("last line\n".repeat(900)), 14_900);

  const { text } = made.result();

  expect(words(text)).toBeLessThanOrEqual(60);
  expect(text).toContain("[5000 bytes of output were dropped here]\n");
});
