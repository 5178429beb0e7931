import { describe, expect, test } from "vitest";
import { clean, takes } from "../../../test/support/cleaning.ts";
import { cursorRange } from "../budget/cursor-range.ts";
import { Cleaner } from "./cleaner.ts";

const CONTROL = /[\0-\x08\x0b-\x1f\x7f-\x9f]/;

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
