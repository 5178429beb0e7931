/** Reads redacted output from disk. */
import type { Cursor, Page } from "../../base/cursor.ts";
import type { DiskJournal } from "../disk/disk-journal.ts";
import { maskBytes, type Redaction } from "./redaction.ts";

interface DiskRange {
  readonly from: Cursor;
  readonly before: Cursor;
  readonly maxBytes: number;
}

/** Reads more than requested on both sides, so that a secret across the border of a page is found. */
export async function redactPage(
  disk: Pick<DiskJournal, "read">,
  redaction: Redaction,
  { from, before, maxBytes }: DiskRange,
): Promise<Page | undefined> {
  const margin = redaction.longestBytes;
  const to = before + margin;
  const wide = await readOver(disk, { from: Math.max(0, from - margin), before: to, maxBytes: maxBytes + 2 * margin });
  const page =
    wide && wide.next > from ? wide : await readOver(disk, { from, before: to, maxBytes: maxBytes + margin });
  if (!page || page.from >= before) return undefined;
  const bytes = Uint8Array.from(page.bytes);
  const mask = (start: Cursor, end: Cursor) => maskBytes(bytes, start - page.from, end - page.from);
  redaction.redactor().push(bytes, page.from, mask);
  const start = Math.max(from, page.from);
  const next = Math.min(start + maxBytes, page.next, before);
  return { bytes: bytes.subarray(start - page.from, next - page.from), from: start, next, dropped: start - from };
}

/** Reads across the ends of files, up to a gap. A page of the disk itself ends with its file. */
async function readOver(
  disk: Pick<DiskJournal, "read">,
  { from, before, maxBytes }: DiskRange,
): Promise<Page | undefined> {
  const first = await disk.read(from, before, maxBytes);
  if (!first) return undefined;
  const end = Math.min(before, first.from + maxBytes);
  const parts = [first.bytes];
  let { next } = first;
  while (next < end) {
    const page = await disk.read(next, before, end - next);
    if (!page || page.dropped > 0) break;
    parts.push(page.bytes);
    next = page.next;
  }
  return { ...first, bytes: parts.length === 1 ? first.bytes : Buffer.concat(parts), next };
}
