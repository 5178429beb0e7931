import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeText, wholeCharacters } from "./decode-text.ts";

/** Decodes chunk by chunk, carrying over what is not yet whole. */
function decodeChunks(chunks: readonly Uint8Array[]): string {
  let carry = new Uint8Array(0);
  let text = "";
  for (const chunk of chunks) {
    const joined = Buffer.concat([carry, chunk]);
    const whole = wholeCharacters(joined);
    text += decodeText(joined.subarray(0, whole));
    carry = Uint8Array.from(joined.subarray(whole));
  }
  return text + decodeText(carry);
}

test("characters split at every byte come out whole", () => {
  const bytes = new TextEncoder().encode("aé🎉世b");

  const text = decodeChunks([...bytes].map((byte) => Uint8Array.of(byte)));

  expect(text).toBe("aé🎉世b");
});

test("any chunking of any bytes gives the text of the whole", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 9 })), (chunks) => {
      expect(decodeChunks(chunks)).toBe(decodeText(Buffer.concat(chunks)));
    }),
    { numRuns: 1000 },
  );
});

test("any chunking of any text gives the text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.array(fc.nat()), (text, cuts) => {
      const bytes = new TextEncoder().encode(text);
      const borders = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
      const chunks = borders.slice(1).map((border, index) => bytes.subarray(borders[index], border));

      expect(decodeChunks(chunks)).toBe(text);
    }),
  );
});

test.each([
  ["an overlong form", [0xc0]],
  ["a continuation alone", [0x80]],
  ["a byte beyond UTF-8", [0xff]],
  ["the start of a surrogate", [0xed, 0xa0]],
  ["the start of an overlong three-byte form", [0xe0, 0x80]],
  ["the start of something beyond U+10FFFF", [0xf4, 0x90]],
])("%s is not waited for", (_what, bytes) => {
  expect(wholeCharacters(Uint8Array.from(bytes))).toBe(bytes.length);
});
