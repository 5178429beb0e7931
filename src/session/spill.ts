/**
 * The part of the journal that lives on disk: all output, in segments, the oldest of which are deleted at the bound.
 *
 * It never slows the program: output waits in a bounded block while the disk is busy, and when the disk refuses or hangs
 * the session goes on without it. What was not written is counted, shows in `health`, and is a gap in the cursors on disk.
 * No descriptor is kept open between writes.
 */
import { mkdir, open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Origin } from "../transport/transport.ts";
import type { Cursor, Page } from "./journal.ts";
import { decodeRecord, encodeRecord, HEADER_BYTES } from "./spill-record.ts";

/** Large writes are cheap writes; small ones follow this soon. */
const BLOCK_BYTES = 64 * 1024;
const FLUSH_AFTER_MS = 20;
/** A disk that has fallen this far behind is not waited for. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;
const SEGMENTS = 16;

export interface SpillOptions {
  readonly directory: string;
  readonly maxBytes: number;
}

/**
 * Whether all output reached the disk. `degraded`, which stays: `lostBytes` in total are not there, the first of them at
 * `atCursor`; `reason` is the latest, mostly the disk's own (ENOSPC).
 */
export type SpillHealth =
  | { readonly kind: "good" }
  | { readonly kind: "degraded"; readonly lostBytes: number; readonly atCursor: Cursor; readonly reason: string };

interface Block {
  readonly cursor: Cursor;
  readonly origin: Origin;
  readonly bytes: Buffer;
  length: number;
}

interface Segment {
  readonly path: string;
  readonly from: Cursor;
  to: Cursor;
  fileBytes: number;
}

export class Spill {
  readonly #options: SpillOptions;
  readonly #waiting: Block[] = [];
  readonly #segments: Segment[] = [];
  #waitingBytes = 0;
  #made = 0;
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> | undefined;
  #health: SpillHealth = { kind: "good" };

  constructor(options: SpillOptions) {
    this.#options = options;
  }

  get health(): SpillHealth {
    return this.#health;
  }

  append(cursor: Cursor, bytes: Uint8Array, origin: Origin): void {
    if (this.#waitingBytes + bytes.length > MAX_WAITING_BYTES) {
      this.#lose(cursor, bytes.length, "the disk does not keep up");
      return;
    }
    this.#waitingBytes += bytes.length;
    let rest = bytes;
    while (rest.length > 0) rest = rest.subarray(this.#fill(cursor + bytes.length - rest.length, rest, origin));
    this.#timer ??= setTimeout(() => this.#startFlush(), FLUSH_AFTER_MS);
  }

  /** What the disk has from `from` on; undefined where it has nothing there or later before `before`. */
  async read(from: Cursor, before: Cursor, maxBytes: number): Promise<Page | undefined> {
    await this.flush();
    const segment = this.#segments.find(({ to }) => to > from);
    if (!segment || segment.from >= before) return undefined;
    const file = await readFile(segment.path).catch(() => undefined);
    if (!file) return undefined;
    const start = Math.max(from, segment.from);
    return pageOf(file, { asked: from, start, end: Math.min(before, start + maxBytes) });
  }

  /** Resolves when all output so far is on disk, or known not to be. */
  async flush(): Promise<void> {
    while (this.#waiting.length > 0) await this.#startFlush();
  }

  async close({ keep }: { readonly keep: boolean }): Promise<void> {
    await this.flush();
    clearTimeout(this.#timer);
    if (!keep) await rm(this.#options.directory, { recursive: true, force: true }).catch(() => undefined);
  }

  /** How many of `bytes` went into the last block. */
  #fill(cursor: Cursor, bytes: Uint8Array, origin: Origin): number {
    let block = this.#waiting.at(-1);
    const isNewNeeded =
      !block || block.length === BLOCK_BYTES || block.origin !== origin || block.cursor + block.length !== cursor;
    // The first block is being written while a flush runs: it must not change.
    if (isNewNeeded || (this.#flushing && this.#waiting.length === 1) || !block) {
      block = { cursor, origin, bytes: Buffer.allocUnsafe(BLOCK_BYTES), length: 0 };
      this.#waiting.push(block);
    }
    const taken = Math.min(bytes.length, BLOCK_BYTES - block.length);
    block.bytes.set(bytes.subarray(0, taken), block.length);
    block.length += taken;
    return taken;
  }

  #startFlush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#flushing ??= this.#writeAll().finally(() => {
      this.#flushing = undefined;
    });
    return this.#flushing;
  }

  async #writeAll(): Promise<void> {
    for (let block = this.#waiting[0]; block; block = this.#waiting[0]) {
      try {
        await this.#writeBlock(block);
      } catch (error) {
        this.#lose(block.cursor, block.length, String((error as NodeJS.ErrnoException).code ?? error));
      }
      this.#waiting.shift();
      this.#waitingBytes -= block.length;
    }
  }

  async #writeBlock(block: Block): Promise<void> {
    const record = encodeRecord({ ...block, bytes: block.bytes.subarray(0, block.length) });
    const segment = await this.#segmentFor(record.length, block.cursor);
    const file = await open(segment.path, "a", 0o600);
    try {
      const { bytesWritten } = await file.write(record);
      if (bytesWritten < record.length) throw Object.assign(new Error("short write"), { code: "ENOSPC" });
      segment.fileBytes += record.length;
      segment.to = block.cursor + block.length;
    } catch (error) {
      // The next record must begin on a clean border.
      await file.truncate(segment.fileBytes).catch(() => undefined);
      throw error;
    } finally {
      await file.close();
    }
  }

  async #segmentFor(bytes: number, cursor: Cursor): Promise<Segment> {
    const segmentBytes = this.#options.maxBytes / SEGMENTS;
    const last = this.#segments.at(-1);
    if (last && last.fileBytes + bytes <= segmentBytes) return last;
    await mkdir(this.#options.directory, { recursive: true, mode: 0o700 });
    await this.#dropOldest();
    this.#made += 1;
    const path = join(this.#options.directory, `${String(this.#made).padStart(8, "0")}.journal`);
    const segment = { path, from: cursor, to: cursor, fileBytes: 0 };
    this.#segments.push(segment);
    return segment;
  }

  async #dropOldest(): Promise<void> {
    if (this.#segments.length < SEGMENTS) return;
    const oldest = this.#segments.shift();
    if (oldest) await rm(oldest.path, { force: true });
  }

  #lose(cursor: Cursor, bytes: number, reason: string): void {
    const before = this.#health.kind === "degraded" ? this.#health : { lostBytes: 0, atCursor: cursor };
    this.#health = { kind: "degraded", lostBytes: before.lostBytes + bytes, atCursor: before.atCursor, reason };
  }
}

interface PageBounds {
  readonly asked: Cursor;
  readonly start: Cursor;
  readonly end: Cursor;
}

/** Pure: the run of bytes at or after `start`, up to `end` or the next gap. */
function pageOf(file: Buffer, { asked, start, end }: PageBounds): Page | undefined {
  const parts: Uint8Array[] = [];
  let from = start;
  let next = start;
  for (let at = 0, record = decodeRecord(file, 0); record; record = decodeRecord(file, at)) {
    at += HEADER_BYTES + record.bytes.length;
    const recordEnd = record.cursor + record.bytes.length;
    if (recordEnd <= next) continue;
    if (record.cursor >= end || (parts.length > 0 && record.cursor > next)) break;
    if (parts.length === 0) next = from = Math.max(next, record.cursor);
    parts.push(record.bytes.subarray(next - record.cursor, Math.min(end, recordEnd) - record.cursor));
    next = Math.min(end, recordEnd);
  }
  if (parts.length === 0) return undefined;
  return { bytes: Buffer.concat(parts), from, next, dropped: from - asked };
}
