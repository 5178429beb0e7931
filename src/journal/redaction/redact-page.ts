/** Reads redacted output from disk. */
import type { Cursor, Page } from "../../base/cursor.ts";
import type { DiskJournal } from "../disk/disk-journal.ts";
import { maskBytes, type Redaction } from "./redaction.ts";

interface DiskRange {
  readonly from: Cursor;
  readonly before: Cursor;
  readonly maxBytes: number;
}

/** Reads more than asked for on both sides, so that what crosses the border of a page is found. */
export async function redactPage(
  disk: Pick<DiskJournal, "read">,
  redaction: Redaction,
  { from, before, maxBytes }: DiskRange,
): Promise<Page | undefined> {
  const margin = redaction.longestBytes;
  const wide = await disk.read(Math.max(0, from - margin), before, maxBytes + 2 * margin);
  const page = wide && wide.next > from ? wide : await disk.read(from, before, maxBytes + margin);
  if (!page) return undefined;
  const bytes = Uint8Array.from(page.bytes);
  const mask = (start: Cursor, end: Cursor) => maskBytes(bytes, start - page.from, end - page.from);
  redaction.redactor().push(bytes, page.from, mask);
  const start = Math.max(from, page.from);
  const next = Math.min(start + maxBytes, page.next);
  return { bytes: bytes.subarray(start - page.from, next - page.from), from: start, next, dropped: start - from };
}
