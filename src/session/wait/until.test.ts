import fc from "fast-check";
import { expect, test } from "vitest";
import { LimpetError } from "../../base/limpet-error.ts";
import { Until } from "./until.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function searchAll(until: Until, chunks: readonly Uint8Array[]): string | undefined {
  for (const chunk of chunks) {
    const match = until.search(chunk);
    if (match) return match.text;
  }
  return undefined;
}

test("a pattern is found wherever the border between two chunks lies, escape sequences and characters included", () => {
  const output = bytes("größe: \x1b[1mREA\x1b[0;32mDY\x1b[m\x1b]0;title\x07 für 世界\r\n");
  for (let border = 0; border <= output.length; border += 1) {
    const until = new Until(/READY für 世界/, 0);

    expect(searchAll(until, [output.subarray(0, border), output.subarray(border)])).toBe("READY für 世界");
  }
});

test("a pattern is found byte by byte, and ends at the byte that completes it", () => {
  const output = bytes("one\r\ntwo READY three");
  const until = new Until(/READY/, 100);

  const found = searchAll(
    until,
    Array.from(output, (byte) => Uint8Array.of(byte)),
  );

  expect({ found, cursor: until.cursor }).toEqual({ found: "READY", cursor: 100 + "one\r\ntwo READY".length });
});

test("a match ends where its last character does, whatever else came in the same chunk", () => {
  const output = "one\r\n\x1b[32mREADY\x1b[0m to go\r\nlistening\r\n";
  const until = new Until(/READY/, 0);

  until.search(bytes(output));

  expect(output.slice(until.cursor)).toMatch(/^(\x1b\[0m)? to go\r\nlistening\r\n$/);
});

test("repeated searches find every match of a chunk once, however it is split", () => {
  const words = fc.array(fc.constantFrom("a", "READY", " ", "\r\n", "\x1b[1m", "\x1b[0m", "世"), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(words, fc.nat(60), (pieces, cut) => {
      const output = bytes(pieces.join(""));
      let cursor = 0;
      let count = 0;
      for (;;) {
        const until = new Until(/READY/, cursor);
        const chunks = [output.subarray(cursor, cursor + cut), output.subarray(cursor + cut)];
        if (searchAll(until, chunks) === undefined) break;
        cursor = until.cursor;
        count += 1;
      }

      expect(count).toBe(pieces.filter((piece) => piece === "READY").length);
    }),
  );
});

test("a redrawn line is seen in its last state", () => {
  const until = new Until(/100%/, 0);

  expect(until.search(bytes("\r 10%\r 50%"))).toBeUndefined();
  expect(until.search(bytes("\r100%"))?.text).toBe("100%");
});

test("text of an earlier search may begin a match, but not contain one", () => {
  const until = new Until(/(READY|OLD)/, 3);
  until.recall(bytes("OLD REA"));

  expect(until.search(bytes("D"))).toBeUndefined();
  expect(until.search(bytes("Y."))?.text).toBe("READY");
  expect(until.cursor).toBe(3 + "DY".length);
});

test("text on both sides of a gap does not belong together", () => {
  const until = new Until(/READY/, 0);
  until.search(bytes("REA"));
  until.skip(1_000);

  expect(until.search(bytes("DY"))).toBeUndefined();
  expect(until.cursor).toBe(1_005);
});

test("a match of 4,096 characters is found across chunks; a longer one loses its beginning", () => {
  const find = (length: number) => {
    // Other tests in this process do not make the pattern slow.
    const until = new Until(/<-*>/, 0, undefined, () => 0);
    return searchAll(until, [bytes(`<${"-".repeat(length - 2)}`), bytes(">")])?.length;
  };

  expect(find(4_097)).toBe(4_097);
  expect(find(4_098)).toBeUndefined();
});

test("a malformed pattern is refused", () => {
  expect(() => new Until("(", 0)).toThrow(LimpetError);
  expect(() => new Until(/(?=x)/, 0)).toThrow(LimpetError);
});
