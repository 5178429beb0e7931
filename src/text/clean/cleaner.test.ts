import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cursorRange } from "../budget/cursor-range.ts";
import { Cleaner, type CleanerOptions } from "./cleaner.ts";

function clean(input: string | Uint8Array, options?: CleanerOptions): string {
  const cleaner = new Cleaner(options);
  cleaner.push(Buffer.from(input as string));
  return ended(cleaner);
}

function ended(cleaner: Cleaner): string {
  cleaner.end();
  return cleaner.take().text;
}

const CONTROL = /[\0-\x08\x0b-\x1f\x7f-\x9f]/;
const UNSEEN = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b\u{e0000}-\u{e007f}]/u;

/** What each take gives when there is one after every piece. */
function takes(...pieces: string[]): string[] {
  const cleaner = new Cleaner();
  return pieces.map((piece) => {
    cleaner.push(Buffer.from(piece));
    return cleaner.take().text;
  });
}

describe("one line", () => {
  test.each([
    ["plain lines stay as they are", "a\nb\n\nc", "a\nb\n\nc"],
    ["CRLF becomes LF", "a\r\nb\r\n", "a\nb\n"],
    ["several returns before a line feed are one line end", "a\r\r\nb\r\r\r\n", "a\nb\n"],
    ["colours are left out", "\x1b[1;31merror\x1b[0m: \x1b[38;2;1;2;3mx\x1b[m\n", "error: x\n"],
    ["grep's erase after a colour erases nothing", "\x1b[01;31m\x1b[Kfoo\x1b[m\x1b[Kbar\n", "foobar\n"],
    ["a return shows the last state", "10%\r50%\r100%\r\n", "100%\n"],
    ["a shorter redraw leaves the rest of the line", "abcdef\rxy\n", "xycdef\n"],
    ["a redraw padded with blanks has none at its end", "abcdef\rxy    \n", "xy\n"],
    ["erase to the end of the line", "abcdef\rxy\x1b[K\n", "xy\n"],
    ["erase to the beginning of the line", "abcdef\b\b\x1b[1K\n", "     f\n"],
    ["erase the line", "abcdef\x1b[2K\rxy\n", "xy\n"],
    ["backspaces", "passwd\b \b\b \bXY\n", "passXY\n"],
    ["a column by number", "abcdef\x1b[3GX\n", "abXdef\n"],
    ["moves right and left", "abcdef\r\x1b[2CX\x1b[2DY\n", "aYXdef\n"],
    ["a move right beyond the text pads it", "ab\x1b[3CX\n", "ab   X\n"],
    ["deleted characters", "abcdef\r\x1b[2Pgh\n", "ghef\n"],
    ["inserted characters", "abc\r\x1b[2@xy\n", "xyabc\n"],
    ["erased characters", "abcdef\r\x1b[2X\n", "  cdef\n"],
    ["saved and restored caret", "ab\x1b7cdef\x1b8X\n", "abXdef\n"],
    ["the other saved and restored caret", "ab\x1b[scdef\x1b[uX\n", "abXdef\n"],
    ["a repeated character", "a-\x1b[4bb\n", "a-----b\n"],
    ["tabs stay tabs", "a\tb\n", "a\tb\n"],
    ["a tab that is written over becomes blanks", "a\tb\r12\n", "12      b\n"],
    ["a wide character takes two columns", "世界ab\r\x1b[2CXY\n", "世XYab\n"],
    ["half a wide character that is written over leaves a blank", "世a\rX\n", "X a\n"],
    ["a combining mark stays on its letter", "e\u0301x\r\x1b[CY\n", "e\u0301Y\n"],
    ["a title is left out", "\x1b]0;title\x07a\x1b]2;t\x1b\\b\n", "ab\n"],
    ["DCS, APC, PM and SOS are left out", "a\x1bPq#0\x1b\\b\x1b_G\x1b\\c\x1b^x\x1b\\d\x1bXy\x1b\\e\n", "abcde\n"],
    ["charset and keypad sequences are left out", "\x1b(B\x1b=a\x1b>\x1b#8b\x0f\n", "ab\n"],
    [
      "an unfinished title ends with its line",
      "\x1b]0;title\r\nb\n",
      "[unfinished control string not shown here: 7 bytes; raw shows it]\nb\n",
    ],
    ["a bell is not shown", "a\x07b\n", "ab\n"],
    ["a line feed inside a sequence is still a line feed", "a\x1b[3\n1mb\n", "a\nb\n"],
  ])("%s", (_, input, expected) => {
    expect(clean(input)).toBe(expected);
  });
});

describe("several lines", () => {
  test.each([
    ["a progress area shows its last state", "a 1\nb 1\n\x1b[2Aa 2\x1b[K\nb 2\x1b[K\n", "a 2\nb 2\n"],
    [
      "as docker draws it",
      "x: Waiting\r\ny: Waiting\r\n\x1b[2A\x1b[2K\rx: Done\r\x1b[2B\x1b[1A\x1b[2K\ry: Done\r\x1b[1B",
      "x: Done\ny: Done\n",
    ],
    ["cursor to a previous and next line", "a\nb\n\x1b[2FX\x1b[EY\n", "X\nY\n"],
    ["erase below takes lines away", "a\nb\nc\n\x1b[3A\x1b[Jd\n", "d\n"],
    ["text above the area stays", "log\nbar 1\n\x1b[1A\x1b[2Kmore\nbar 2\n", "log\nmore\nbar 2\n"],
    ["a cleared screen loses nothing", "one\n\x1b[H\x1b[2Jtwo\n", "one\ntwo\n"],
    ["clearing with erase-below loses nothing either", "\x1b[H\x1b[Jone\n\x1b[H\x1b[Jtwo\n", "one\ntwo\n"],
    [
      "a page that is drawn again from its top shows its last state",
      "\x1b[H\x1b[2Jt=1\x1b[K\nx\n\x1b[Ht=2\x1b[K\nx\n",
      "t=2\nx\n",
    ],
    ["moves above the top stop there", "a\nb\n\x1b[999AX\n", "X\nb\n"],
    ["a move down and text makes lines", "a\r\x1b[2Bb\n", "a\nb\n"],
    [
      "apt's status line does not get into the text",
      "a\n\x1b7\x1b[24;0f 5%\x1b8b\n\x1b7\x1b[24;0f\x1b[K\x1b8c\n",
      "a\nb\nc\n",
    ],
    ["a status line that is still there is shown last", "a\n\x1b7\x1b[24;0fProgress: 5%\x1b8", "a\nProgress: 5%\n"],
    [
      "a full-screen program is named, not shown",
      "$ vi\r\n\x1b[?1049h\x1b[2Jtext\r\n\x1b[?1049l$ ",
      "$ vi\n[full-screen program: its screen is not shown here; use read_screen]\n$ ",
    ],
  ])("%s", (_, input, expected) => {
    expect(clean(input)).toBe(expected);
  });

  test("with the height known, what has scrolled off cannot be redrawn", () => {
    expect(clean("a\nb\nc\nd\x1b[9A\rX", { rows: 3 })).toBe("a\nX\nc\nd");
  });

  test("lines that came in bulk can be redrawn", () => {
    const lines = Array.from({ length: 1_000 }, (_, i) => `line ${i}\n`);
    const expected = [...lines];
    expected[700] = "XXXX 700\n";

    expect(clean(`${lines.join("")}\x1b[300AXXXX\x1b[300B`)).toBe(expected.join(""));
  });
});

describe("what a second take gives", () => {
  test.each([
    ["only what was added to a growing line", ["ab", "cd\nef", "\n"], ["ab", "cd\nef", "\n"]],
    ["a rewritten line anew, on a line of its own", ["10%", "\r20%", "\r\n"], ["10%", "\n20%", "\n"]],
    ["nothing where nothing changed", ["a\nb", "", "\x1b[0m"], ["a\nb", "", ""]],
    ["only the changed lines of an area", ["a 1\nb 1\n", "\x1b[2A\x1b[1Bb 2\n"], ["a 1\nb 1\n", "b 2\n"]],
    ["a finished line once", ["a\n", "b\n", "c\n"], ["a\n", "b\n", "c\n"]],
    ["nothing for a line that was only erased", ["50%", "\r\x1b[K", "done\n"], ["50%", "", "\ndone\n"]],
    [
      "a line above the live one, then no repeat of the live one",
      ["x\nlive", "\r\x1b[AY\x1b[B", "\n"],
      ["x\nlive", "\nY\n", ""],
    ],
    [
      "a status line only when it changed",
      ["\x1b7\x1b[9;1H5%\x1b8", "a\n", "\x1b7\x1b[9;1H6%\x1b8"],
      ["5%\n", "a\n", "6%\n"],
    ],
  ])("%s", (_, pieces, expected) => {
    expect(takes(...pieces)).toEqual(expected);
  });

  test("a return at the end of a piece is not acted on before its line feed", () => {
    expect(takes("a\r", "\nb\r", "c")).toEqual(["a", "\nb", "\nc"]);
  });
});

describe("what cannot be seen is made visible", () => {
  test.each([
    ["bidi controls", "a\u202eb\u2066", "a⟨U+202E⟩b⟨U+2066⟩"],
    ["zero-width characters", "a\u200bb\u200d\ufeff", "a⟨U+200B⟩b⟨U+200D⟩⟨U+FEFF⟩"],
    ["tag characters", "a\u{e0041}", "a⟨U+E0041⟩"],
    ["variation selectors on a letter", "a\ufe0f\u{e0100}", "a⟨U+FE0F⟩⟨U+E0100⟩"],
    ["C0 controls", "a\x00\x01\x7f\x18", "a^@^A^?^X"],
    ["C1 controls", "a\u009b31m\u0085", "a⟨U+009B⟩31m⟨U+0085⟩"],
    ["line separators", "a\u2028b", "a⟨U+2028⟩b"],
    ["soft hyphens", "a\u00adb", "a⟨U+00AD⟩b"],
  ])("%s", (_, input, expected) => {
    expect(clean(input)).toBe(expected);
  });

  test("emoji sequences stay whole", () => {
    expect(clean("👩‍💻 ❤️ 1️⃣ 👍🏽‍🦱")).toBe("👩‍💻 ❤️ 1️⃣ 👍🏽‍🦱");
  });

  test("broken UTF-8 becomes U+FFFD, and a sequence inside a character breaks it", () => {
    expect(clean(Buffer.from([0x61, 0xc0, 0xaf, 0xed, 0xa0, 0x80, 0x62, 0xc3]))).toBe(
      "a\ufffd\ufffd\ufffd\ufffd\ufffdb\ufffd",
    );
    expect(clean(Buffer.from("\xc3\x1b[m\xa9", "latin1"))).toBe("\ufffd\ufffd");
  });

  test("all 256 bytes give text without a control", () => {
    const text = clean(Buffer.from(Array.from({ length: 256 }, (_, i) => i)));

    expect(text).not.toMatch(CONTROL);
  });
});

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

describe("the way back to the journal", () => {
  test("a cut names journal bytes that hold all of it", () => {
    const lines = Array.from({ length: 5_000 }, (_, i) => `\x1b[32mline ${i}\x1b[0m\r\n`);
    const bytes = Buffer.from(lines.join(""));
    const cleaner = new Cleaner();
    for (let at = 0; at < bytes.length; at += 4_096) cleaner.push(bytes.subarray(at, at + 4_096));

    const taken = cleaner.take();
    const fromByte = taken.text.indexOf("line 2000\n");
    const toByte = taken.text.indexOf("line 3000\n");
    const range = cursorRange(taken, { fromByte, toByte });
    const part = bytes.subarray(range.from, range.to).toString();

    expect(part).toContain("line 2000\x1b[0m\r\n");
    expect(part).toContain("line 2999\x1b[0m\r\n");
    expect(part.length).toBeLessThan(1_000 * 22 + 3 * 8_192);
  });

  test("single lines have single cursors", () => {
    const cleaner = new Cleaner();
    for (const piece of ["one\n", "two\n", "three\n"]) cleaner.push(Buffer.from(piece));

    expect(cleaner.take()).toEqual({
      text: "one\ntwo\nthree\n",
      cursor: 14,
      marks: [
        { textByte: 0, cursor: 0 },
        { textByte: 4, cursor: 4 },
        { textByte: 8, cursor: 8 },
      ],
    });
  });
});
