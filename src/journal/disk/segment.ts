/**
 * One file of a journal on disk, with the positions of its records, so that a page can be read without the rest of the
 * file.
 */
import { open, readFile } from "node:fs/promises";
import type { Cursor, Page } from "../../base/cursor.ts";
import { type PageBounds, pageOf } from "./disk-page.ts";
import { decodeRecord, HEADER_BYTES } from "./disk-record.ts";

/** Half of a full record. Output in small records has fewer marks than records. */
const MARK_EVERY_BYTES = 32 * 1024;

export interface Segment {
  readonly path: string;
  readonly from: Cursor;
  to: Cursor;
  fileBytes: number;
  /** In the order of the file. Undefined if another process wrote the file. The first read then finds them. */
  marks?: Mark[];
}

/** Where in its file a record begins. */
export interface Mark {
  readonly cursor: Cursor;
  readonly at: number;
}

/** Call for each record in the order of the file. */
export function noteMark(marks: Mark[], mark: Mark): void {
  const last = marks.at(-1);
  if (!last || mark.at - last.at >= MARK_EVERY_BYTES) marks.push(mark);
}

/** Rejects if the file cannot be read. Undefined if it has no output at or after `start`. */
export async function readSegment(segment: Segment, bounds: PageBounds): Promise<Page | undefined> {
  const { path, marks, fileBytes } = segment;
  const page = marks && pageOf(await readPart(path, partFor(marks, bounds, fileBytes)), bounds);
  if (page) return page;
  // There are no marks yet, or the output of that part was lost.
  const file = await readFile(path);
  if (!marks) {
    segment.marks = marksOf(file);
    segment.fileBytes = file.length;
  }
  return pageOf(file, bounds);
}

interface FilePart {
  readonly from: number;
  readonly to: number;
}

/** The part of the file that contains the output from `start` on, unless that was lost. Pure. */
export function partFor(
  marks: readonly Mark[],
  { start, maxBytes }: Pick<PageBounds, "start" | "maxBytes">,
  fileBytes: number,
): FilePart {
  const end = Math.max(start, marks[0]?.cursor ?? 0) + maxBytes;
  return {
    from: marks.findLast(({ cursor }) => cursor <= start)?.at ?? 0,
    to: marks.find(({ cursor }) => cursor >= end)?.at ?? fileBytes,
  };
}

async function readPart(path: string, { from, to }: FilePart): Promise<Buffer> {
  const length = to - from;
  if (length === 0) return Buffer.alloc(0);
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, from);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function marksOf(file: Buffer): Mark[] {
  const marks: Mark[] = [];
  for (let at = 0, record = decodeRecord(file, 0); record; record = decodeRecord(file, at)) {
    noteMark(marks, { cursor: record.cursor, at });
    at += HEADER_BYTES + record.bytes.length;
  }
  return marks;
}
