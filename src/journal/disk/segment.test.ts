import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/support/watching.ts";
import { encodeRecord } from "./disk-record.ts";
import { type Mark, noteMark, partFor, readSegment, type Segment } from "./segment.ts";

const RECORD = 10_000;
const HEADER = 20;

/** A file of records of 10,000 bytes each, the nth of them full of n. Without those in `lost`. */
function segmentOf(records: number, { lost = [], marks = [] }: { lost?: readonly number[]; marks?: Mark[] } = {}) {
  const path = join(temporaryDirectory(), "00000001.journal");
  const parts: Buffer[] = [];
  let fileBytes = 0;
  for (let n = 0; n < records; n += 1) {
    if (lost.includes(n)) continue;
    const record = encodeRecord({ cursor: n * RECORD, origin: "terminal", bytes: Buffer.alloc(RECORD, n) });
    noteMark(marks, { cursor: n * RECORD, at: fileBytes });
    fileBytes += record.length;
    parts.push(record);
  }
  writeFileSync(path, Buffer.concat(parts));
  return { path, from: 0, to: records * RECORD, fileBytes, marks } satisfies Segment;
}

const upTo = (start: number, maxBytes: number) => ({ asked: start, start, before: 1_000_000, maxBytes });

test("a page is read from a part of the file", () => {
  const { marks, fileBytes } = segmentOf(40);

  expect(marks.map(({ cursor }) => cursor).slice(0, 3)).toEqual([0, 40_000, 80_000]);
  expect(partFor(marks, { start: 95_000, maxBytes: 20_000 }, fileBytes)).toEqual({
    from: 8 * (RECORD + HEADER),
    to: 12 * (RECORD + HEADER),
  });
  expect(partFor(marks, { start: 395_000, maxBytes: 20_000 }, fileBytes).to).toBe(fileBytes);
});

test.each([
  ["with marks", (segment: Segment) => segment],
  ["of another process", ({ path, from, to }: Segment) => ({ path, from, to, fileBytes: 0 })],
])("a segment %s is read byte for byte, wherever a page begins", async (_, of) => {
  const segment = of(segmentOf(40));

  for (let start = 0; start < 400_000; start += 7_001) {
    const page = await readSegment(segment, upTo(start, 64 * 1024));

    const bytes = Math.min(64 * 1024, 400_000 - start);
    expect(page).toMatchObject({ from: start, next: start + bytes, dropped: 0 });
    expect([page?.bytes[0], page?.bytes.at(-1)]).toEqual(
      [start, start + bytes - 1].map((cursor) => Math.floor(cursor / RECORD)),
    );
  }
});

test("what follows a gap is found, and the gap is counted", async () => {
  const lost = Array.from({ length: 20 }, (_, n) => n + 5);
  const segment = segmentOf(40, { lost });

  const page = await readSegment(segment, upTo(90_000, 20_000));

  expect(page).toMatchObject({ from: 250_000, next: 270_000, dropped: 160_000 });
  expect(page?.bytes[0]).toBe(25);
});

test("a segment without output after a cursor has no page", async () => {
  expect(await readSegment(segmentOf(4), upTo(40_000, 100))).toBe(undefined);
});
