/**
 * Restores a journal that an ended process left on disk: its segments, and where the last complete record of the last
 * segment ends. A record that a crash truncated is ignored.
 */

import { open, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Cursor } from "../../base/cursor.ts";
import type { Origin } from "../../transport/transport.ts";
import { type DiskRecord, decodeRecord, HEADER_BYTES } from "./disk-record.ts";
import type { Segment } from "./segment.ts";

/** The stream that the output from a cursor on came from. */
interface OriginChange {
  readonly at: Cursor;
  readonly origin: Origin;
}

export interface RestoredOutput {
  readonly segments: readonly Segment[];
  readonly end: Cursor;
  readonly origins: readonly OriginChange[];
}

/** A terminal has one origin; only for pipes are all records read. */
export async function restoreJournal(directory: string, { tty }: { readonly tty: boolean }): Promise<RestoredOutput> {
  const found: { readonly path: string; readonly from: Cursor }[] = [];
  for (const path of await segmentPaths(directory)) {
    const from = await firstCursor(path);
    if (from !== undefined) found.push({ path, from });
  }
  const last = found.at(-1);
  const end = last ? endOf(await readRecords(last.path), last.from) : 0;
  const segments = found.map(({ path, from }, index) => ({
    path,
    from,
    // An upper bound: missing parts are detected when the segment is read.
    to: found[index + 1]?.from ?? end,
    fileBytes: 0,
  }));
  return { segments, end, origins: tty ? [{ at: 0, origin: "terminal" }] : await originsOf(found) };
}

async function segmentPaths(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch(() => []);
  const journals = names.filter((name) => name.endsWith(".journal")).sort();
  return journals.map((name) => join(directory, name));
}

/** Undefined if not even the first header is complete. */
async function firstCursor(path: string): Promise<Cursor | undefined> {
  const file = await open(path).catch(() => undefined);
  if (!file) return undefined;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    const cursor = bytesRead === HEADER_BYTES ? buffer.readDoubleLE(8) : Number.NaN;
    return Number.isSafeInteger(cursor) && cursor >= 0 ? cursor : undefined;
  } finally {
    await file.close();
  }
}

async function readRecords(path: string): Promise<DiskRecord[]> {
  const file = await readFile(path).catch(() => Buffer.alloc(0));
  const records: DiskRecord[] = [];
  for (let at = 0, record = decodeRecord(file, 0); record; record = decodeRecord(file, at)) {
    records.push(record);
    at += HEADER_BYTES + record.bytes.length;
  }
  return records;
}

function endOf(records: readonly DiskRecord[], from: Cursor): Cursor {
  const last = records.at(-1);
  return last ? last.cursor + last.bytes.length : from;
}

async function originsOf(segments: readonly { readonly path: string }[]): Promise<OriginChange[]> {
  const changes: OriginChange[] = [];
  for (const { path } of segments) {
    for (const { cursor, origin } of await readRecords(path)) {
      if (changes.at(-1)?.origin !== origin) changes.push({ at: cursor, origin });
    }
  }
  return changes;
}
