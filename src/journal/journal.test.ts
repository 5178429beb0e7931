import fc from "fast-check";
import { expect, test } from "vitest";
import { Journal } from "./journal.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const numbered = (length: number) => Uint8Array.from({ length }, (_, index) => index % 251);

function fill(maxBytes: number, ...texts: string[]): Journal {
  const journal = new Journal(maxBytes);
  for (const text of texts) journal.append(bytes(text), "terminal");
  return journal;
}

function readAll(journal: Journal, pageBytes: number) {
  const parts: number[] = [];
  let cursor = 0;
  let dropped = 0;
  while (cursor < journal.end) {
    const page = journal.read(cursor, pageBytes);
    parts.push(...page.bytes);
    dropped += page.dropped;
    cursor = page.next;
  }
  return { bytes: Uint8Array.from(parts), dropped, cursor };
}

test("keeps the beginning and the latest part and counts what lies between", () => {
  const journal = fill(8, "abcdefgh", "ijkl");

  expect(journal.read(0, 100)).toEqual({ bytes: bytes("abcd"), from: 0, next: 4, dropped: 0 });
  expect(journal.read(4, 100)).toEqual({ bytes: bytes("ijkl"), from: 8, next: 12, dropped: 4 });
  expect(journal.gap).toEqual({ from: 4, to: 8 });
});

test("a page continues where the previous one ended", () => {
  const journal = fill(100, "abc", "def");

  expect(journal.read(1, 2)).toEqual({ bytes: bytes("bc"), from: 1, next: 3, dropped: 0 });
  expect(journal.read(3, 2)).toEqual({ bytes: bytes("de"), from: 3, next: 5, dropped: 0 });
});

test("a cursor at or beyond the end reads nothing", () => {
  const journal = fill(100, "abc");

  expect(journal.read(3, 10)).toEqual({ bytes: bytes(""), from: 3, next: 3, dropped: 0 });
  expect(journal.read(99, 10)).toEqual({ bytes: bytes(""), from: 3, next: 3, dropped: 0 });
});

test("any chunking gives the same bytes", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), fc.integer({ min: 2, max: 200 }), (chunks, maxBytes) => {
      const whole = new Journal(maxBytes);
      const pieces = new Journal(maxBytes);
      whole.append(Uint8Array.from(chunks.flatMap((chunk) => [...chunk])), "terminal");
      for (const chunk of chunks) pieces.append(chunk, "terminal");

      expect(readAll(pieces, 7)).toEqual(readAll(whole, 1000));
    }),
  );
});

test("a reader gets each byte once or learns that it was dropped", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 30 }),
      fc.integer({ min: 2, max: 500 }),
      fc.integer({ min: 1, max: 100 }),
      (lengths, maxBytes, pageBytes) => {
        const total = lengths.reduce((sum, length) => sum + length, 0);
        const source = numbered(total);
        const journal = new Journal(maxBytes);
        let written = 0;
        let cursor = 0;
        for (const length of lengths) {
          journal.append(source.subarray(written, written + length), "terminal");
          written += length;
          const page = journal.read(cursor, pageBytes);
          expect(page.from).toBe(Math.min(cursor + page.dropped, journal.end));
          expect(page.bytes).toEqual(source.slice(page.from, page.next));
          expect(page.next - page.from).toBe(page.bytes.length);
          cursor = page.next;
        }
        const all = readAll(journal, pageBytes);
        expect(all.bytes.length + all.dropped).toBe(total);
        expect(all.cursor).toBe(total);
      },
    ),
  );
});

test("reports which stream each part came from", () => {
  const journal = new Journal(100);
  journal.append(bytes("out"), "stdout");
  journal.append(bytes("err"), "stderr");
  journal.append(bytes("err"), "stderr");
  journal.append(bytes("out"), "stdout");

  expect(journal.spans(0, 12)).toEqual([
    { from: 0, to: 3, origin: "stdout" },
    { from: 3, to: 9, origin: "stderr" },
    { from: 9, to: 12, origin: "stdout" },
  ]);
  expect(journal.spans(4, 5)).toEqual([{ from: 4, to: 5, origin: "stderr" }]);
  expect(journal.spans(5, 5)).toEqual([]);
});
