import fc from "fast-check";
import { expect, test } from "vitest";
import { Cleaner } from "../../text/clean/cleaner.ts";
import { tokensOf } from "../../text/escape/tokens-of.ts";
import { Guard } from "./guard.ts";

const SIZE = { cols: 80, rows: 24 };

function passed(output: string | Uint8Array, pieceBytes?: number): string {
  const guard = new Guard(SIZE);
  const bytes = Buffer.from(output);
  const step = pieceBytes ?? bytes.length;
  let text = "";
  for (let at = 0; at < bytes.length; at += step) text += guard.push(bytes.subarray(at, at + step)).join("");
  return text;
}

test.each([
  ["a repeat", "A\x1b[2147483647b", "A\x1b[1000b"],
  ["lines", "\x1b[2147483647L\x1b[99S", "\x1b[24L\x1b[24S"],
  ["columns", "\x1b[2147483647@\x1b[500'}", "\x1b[80@\x1b[80'}"],
  ["a place", "\x1b[99999;5H", "\x1b[1000;5H"],
  ["a mode", "\x1b[?1049h\x1b[?123456789h", "\x1b[?1049h\x1b[?9999h"],
  ["a list", `\x1b[${"1;".repeat(1000)}m`, `\x1b[${"1;".repeat(31)}1m`],
])("bounds the numbers of %s", (_, output, expected) => {
  expect(passed(output)).toBe(expected);
  expect(passed(output, 1)).toBe(expected);
});

test.each([
  ["plain text", "abc\r\n\tdef"],
  ["colours and movement", "\x1b[1;38;5;196mx\x1b[0m\x1b[3;4H\x1b[K\x1b[?25l"],
  ["sub-parameters", "\x1b[4:3m\x1b[38:2::1:2:3m"],
  ["characters of several bytes", "é世🎉—“”"],
  ["escape sequences", "\x1b7\x1b8\x1b(0\x1b=\x1bM"],
])("lets %s through, whatever the borders", (_, output) => {
  expect(passed(output)).toBe(output);
  expect(passed(output, 1)).toBe(output);
});

test("lets no string through, and goes on after it", () => {
  expect(passed("a\x1b]0;title\x07b\x1bPq#0\x1b\\c\x1b_x\x1b\\d\x1b^y\x1b\\e\x1bXz\x1b\\f\x1bkname\x1b\\g")).toBe(
    "abcdefg",
  );
});

test("lets no C1 control through, and what is no UTF-8 as U+FFFD", () => {
  expect(passed("a\u009b2Jb\u0090c")).toBe("a2Jbc");
  expect(passed(Buffer.from([0x61, 0xff, 0x62, 0xe2, 0x80, 0x1b, 0x5b, 0x41]))).toBe("a\ufffdb\ufffd\x1b[A");
});

test("carries out a control inside of a sequence before it, as terminals do", () => {
  expect(passed("\x1b[5\n;5H")).toBe("\n\x1b[5;5H");
  expect(passed("\x1b[5;\x185H")).toBe("5H");
});

test("keeps the title, cut to 256 characters and without controls", () => {
  const guard = new Guard(SIZE);

  guard.push(Buffer.from(`\x1b]2;a\x01b${"世".repeat(400)}\x1b\\`));

  expect(guard.title).toBe(`ab${"世".repeat(254)}`);
});

test("takes back a title that was put aside", () => {
  const guard = new Guard(SIZE);

  guard.push(Buffer.from("\x1b]0;shell\x07\x1b[22;0;0t\x1b]0;editor\x07"));
  expect(guard.title).toBe("editor");
  guard.push(Buffer.from("\x1b[23;0;0t"));

  expect(guard.title).toBe("shell");
});

/** The letters of the text. None of them ends a sequence that moves or erases. */
function lettersOf(text: string): string {
  return text.replaceAll(/[^ijovwyz\n]/g, "");
}

test("a reader and the screen agree on what is text", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "ijo",
      "v",
      "w\n",
      "yz",
      "\x1b",
      "\x1b[",
      "\x1b[1;3",
      "m",
      "h",
      "\x1b]0;",
      "\x1bP",
      "\x1b_",
      "\x1bk",
      "\x1b^",
    ),
    fc.constantFrom("\x07", "\x18", "\x1a", "\x1b\\", "\x7f", "\x9c", "é", "世", "0", ";", ":", "?", "!p", "$"),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), fc.integer({ min: 1, max: 50 }), (pieces, pieceBytes) => {
      const output = pieces.join("");
      const cleaner = new Cleaner();
      cleaner.push(Buffer.from(output));
      const shown = Buffer.from(passed(output, pieceBytes));
      const text = [...tokensOf(shown)].filter(({ kind }) => kind === "text");

      // The reader says on lines of its own what both leave out.
      const read = cleaner.take().text.replaceAll(/\[unfinished control string[^\]]*\]/g, "");
      const drawn = text.map(({ from, to }) => shown.toString("utf8", from, to)).join("");

      expect(lettersOf(drawn).replaceAll("\n", "")).toBe(lettersOf(read).replaceAll("\n", ""));
    }),
    { numRuns: 5_000 },
  );
});

test("a title without an end does not swallow the next line", () => {
  expect(passed("\x1b]0;title\nb\n")).toBe("\nb\n");
});
