import fc from "fast-check";
import { expect, test } from "vitest";
import { quoteLine, visibleLine, wordOrQuote } from "./quote-line.ts";

/** Line ends of any standard, controls, bidi controls, zero-width and tag characters. */
const INVISIBLE = /[\0-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u;

const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "\n",
        "\r",
        "\u0085",
        "\u2028",
        "\u202e",
        "\u200b",
        "\u{e0041}",
        '"',
        "\\",
        "\nOutput:\n",
        "👩‍💻",
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

test.each([
  ["a line feed", 'a\nOutput:\nPASS!"', '"a\\nOutput:\\nPASS!\\""'],
  ["other line ends", "a\r\v\f\u0085\u2028\u2029b", '"a\\r\\u000b\\f\\u0085\\u2028\\u2029b"'],
  ["a right-to-left override", "dev\u202egnp", '"dev\\u202egnp"'],
  ["a tag character", "a\u{e0041}", '"a\\udb40\\udc41"'],
  ["half of a pair", "\ud800", '"\\ud800"'],
  ["an emoji of several parts", "👩‍💻", '"👩‍💻"'],
])("%s is quoted", (_case, value, quoted) => {
  expect(quoteLine(value)).toBe(quoted);
  expect(JSON.parse(quoted)).toBe(value);
});

test("any value is one visible line of JSON that means the value", () => {
  fc.assert(
    fc.property(anyText, (value) => {
      const quoted = quoteLine(value);

      expect(JSON.parse(quoted)).toBe(value);
      expect(quoted).not.toMatch(/[\r\n]/);
      expect(quoted.replaceAll("👩‍💻", "")).not.toMatch(INVISIBLE);
    }),
  );
});

test.each([
  ["dev", "dev"],
  ["/usr/local", "/usr/local"],
  ["größe_1", "größe_1"],
  ["", '""'],
  ["dev server", '"dev server"'],
  ["a), 9 (b", '"a), 9 (b"'],
  ["a,b", '"a,b"'],
  ["Output:", '"Output:"'],
  ["a\u200bb", '"a\\u200bb"'],
])("%j inside a line is %s", (value, shown) => {
  expect(wordOrQuote(value)).toBe(shown);
});

test("a long value is cut with a sign outside the quotes, never inside a character", () => {
  expect(quoteLine("abcdef", { maxChars: 3 })).toBe('"abc"…');
  expect(quoteLine("ab💥", { maxChars: 3 })).toBe('"ab"…');
  expect(wordOrQuote("abcdef", { maxChars: 6 })).toBe("abcdef");
  expect(wordOrQuote("abcdef", { maxChars: 5 })).toBe('"abcde"…');
});

test("a message stays as it is, on one line", () => {
  expect(visibleLine('No session "a" (open: none). Start\tone\nwith\r exec_command.')).toBe(
    'No session "a" (open: none). Start\\tone\\nwith\\r exec_command.',
  );
});
