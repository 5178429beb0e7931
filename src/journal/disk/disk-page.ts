/** Reads a page from a file of records. */
import type { Cursor, Page } from "../../base/cursor.ts";
import { decodeRecord, HEADER_BYTES } from "./disk-record.ts";

export interface PageBounds {
  /** The cursor that the caller requested. */
  readonly asked: Cursor;
  /** The cursor at which to start in this file. */
  readonly start: Cursor;
  readonly before: Cursor;
  readonly maxBytes: number;
}

/** Pure: the bytes at or after `start`, up to `maxBytes`, `before` or the next gap. */
export function pageOf(file: Buffer, { asked, start, before, maxBytes }: PageBounds): Page | undefined {
  const parts: Uint8Array[] = [];
  let from = start;
  let next = start;
  let end = before;
  for (let at = 0, record = decodeRecord(file, 0); record; record = decodeRecord(file, at)) {
    at += HEADER_BYTES + record.bytes.length;
    const recordEnd = record.cursor + record.bytes.length;
    if (recordEnd <= next) continue;
    if (record.cursor >= end || (parts.length > 0 && record.cursor > next)) break;
    if (parts.length === 0) {
      next = from = Math.max(next, record.cursor);
      end = Math.min(before, from + maxBytes);
    }
    parts.push(record.bytes.subarray(next - record.cursor, Math.min(end, recordEnd) - record.cursor));
    next = Math.min(end, recordEnd);
  }
  if (parts.length === 0) return undefined;
  return { bytes: Buffer.concat(parts), from, next, dropped: from - asked };
}
