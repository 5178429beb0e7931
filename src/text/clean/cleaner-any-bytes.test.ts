/** Any bytes in any pieces: the text is the same, and nothing in it is invisible. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clean, ended, takes } from "../../../test/support/cleaning.ts";
import { Cleaner } from "./cleaner.ts";

const UNSEEN = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b\u{e0000}-\u{e007f}]/u;

const anyBytes = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 6 }),
      fc
        .constantFrom(
          ..."ABCDEFGHJKLMPSTX@bdfhlmrsu".split("").map((final) => `\x1b[${final}`),
          ..."ABCDGJK".split("").map((final) => `\x1b[2${final}`),
          ..."\n|\r|\r\n|\b|\t|\x1b7|\x1b8|\x1bM|\x1bD|\x1bE|\x1bc|\x1b[1K|\x1b[3;4H|\x1b[2J|\x1b[?1049h|\x1b[?1049l".split(
            "|",
          ),
          ..."\x1b]0;t\x07|\x1bPx\x1b\\|\x1b[|\x1b]|\x1b|é|世|🎉|👩‍💻|\u200d|\u202e|word|abc\n|line one\r\nline two\r\n".split(
            "|",
          ),
        )
        .map((text) => new Uint8Array(Buffer.from(text))),
    ),
    { maxLength: 60 },
  )
  .map((parts) => Buffer.concat(parts));

test("half a character before a carriage return stays where it was, whatever was read in between", () => {
  const cleaner = new Cleaner();
  cleaner.push(Buffer.from([0x61, 0x62, 0xc2, 0x0d]));
  const first = cleaner.take().text;
  cleaner.push(Buffer.from([0xc2, 0x1b, 0x5b, 0x41]));

  expect([first, cleaner.take().text]).toEqual(["ab\ufffd", "\n\ufffdb\ufffd"]);
});

describe("any bytes", () => {
  test("chunk borders change nothing", () => {
    fc.assert(
      fc.property(
        anyBytes,
        fc.array(fc.nat(8), { minLength: 1, maxLength: 20 }),
        fc.nat(300),
        (bytes, sizes, takeAt) => {
          const border = Math.min(takeAt, bytes.length);
          const whole = new Cleaner();
          whole.push(bytes.subarray(0, border));
          const expected = [whole.take().text];
          whole.push(bytes.subarray(border));
          expected.push(whole.take().text);

          const pieces = new Cleaner();
          const taken: string[] = [];
          for (const part of [bytes.subarray(0, border), bytes.subarray(border)]) {
            for (let at = 0, i = 0; at < part.length; i++) {
              const size = sizes[i % sizes.length] || 1;
              pieces.push(part.subarray(at, at + size));
              at += size;
            }
            taken.push(pieces.take().text);
          }

          expect(taken).toEqual(expected);
        },
      ),
      { numRuns: 5_000 },
    );
  });

  test("several that take turns do not disturb each other", () => {
    fc.assert(
      fc.property(
        fc.array(anyBytes, { minLength: 2, maxLength: 4 }),
        fc.integer({ min: 1, max: 5 }),
        (outputs, size) => {
          const cleaners = outputs.map(() => new Cleaner());
          const longest = Math.max(...outputs.map(({ length }) => length));
          for (let at = 0; at < longest; at += size) {
            for (const [i, cleaner] of cleaners.entries())
              cleaner.push(outputs[i]?.subarray(at, at + size) ?? Buffer.of());
          }

          expect(cleaners.map(ended)).toEqual(outputs.map((output) => clean(output)));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test("binary data after a carriage return is the same text however it arrives", () => {
    const bytes = Buffer.from(` \r\xc2\x1b[A${"\0".repeat(17)}\x1b[3;4H${"\0".repeat(5)}`, "latin1");
    const texts = [1, 2, 3, 5].map((size) => {
      const cleaner = new Cleaner();
      for (let at = 0; at < bytes.length; at += size) cleaner.push(bytes.subarray(at, at + size));
      return ended(cleaner);
    });

    expect(new Set(texts)).toEqual(new Set([clean(bytes)]));
  });

  test("one that rests needs no room for output", () => {
    const before = process.memoryUsage().arrayBuffers;
    const cleaners = Array.from({ length: 2_000 }, () => new Cleaner());
    // Half a character each, for which they wait.
    for (const cleaner of cleaners) cleaner.push(Uint8Array.of(0x68, 0x69, 0x0a, 0xe2, 0x82));

    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(cleaners.length * 1_000);
    expect(new Set(cleaners.map(ended))).toEqual(new Set(["hi\n\ufffd"]));
  });

  test("the text has no control but line feed and tab, and nothing invisible", () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        const text = clean(bytes);

        expect(text).not.toMatch(UNSEEN);
      }),
      { numRuns: 5_000 },
    );
  });

  test("lines without controls come out as they went in, however often they are taken", () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[ -~é世\n\t]{0,30}$/), { maxLength: 20 }), (pieces) => {
        expect(takes(...pieces).join("")).toBe(pieces.join(""));
      }),
    );
  });
});

describe("chunk borders on long lines and long outputs", () => {
  const long = `${"x".repeat(5_000)}\n${"é世".repeat(3_000)}\nshort\n\x1b[2AY\n${"l\n".repeat(700)}\x1b[600AZ\r\n`;

  test.each([1, 2, 7, 100, 1_024, 5_000])("pieces of %i bytes", (size) => {
    const bytes = Buffer.from(long.repeat(2));
    const cleaner = new Cleaner();
    for (let at = 0; at < bytes.length; at += size) cleaner.push(bytes.subarray(at, at + size));

    expect(cleaner.take().text).toBe(clean(bytes));
  });

  test("a line too long to redraw goes on below", () => {
    const x = "x".repeat(10_000);

    expect(clean(`${x}\rnew\n`)).toBe(`${x}\nnew\n`);
  });
});
