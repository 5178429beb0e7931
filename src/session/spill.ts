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
import { pageOf } from "./spill-page.ts";
import { encodeRecord, HEADER_BYTES } from "./spill-record.ts";

/** Large writes are cheap writes; small ones follow this soon. */
const BLOCK_BYTES = 64 * 1024;
/** Output that switches between stdout and stderr makes small blocks, many of which go into one write. */
const FIRST_BLOCK_BYTES = 512;
const BATCH_BYTES = 256 * 1024;
const FLUSH_AFTER_MS = 20;
/** A disk that has fallen this far behind is not waited for. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;
/** At least this many segments, so that dropping the oldest costs little of what is kept. */
const MIN_SEGMENTS = 16;
/** A segment is read as a whole. */
const MAX_SEGMENT_BYTES = 4 * 1024 * 1024;

export interface SpillOptions {
  readonly directory: string;
  readonly maxBytes: number;
}

/** `degraded`: some output is not on disk, since `atCursor`; the reason is the disk's own. */
export type SpillHealth =
  | { readonly kind: "good" }
  | { readonly kind: "degraded"; readonly lostBytes: number; readonly atCursor: Cursor; readonly reason: string };

interface Block {
  readonly cursor: Cursor;
  readonly origin: Origin;
  bytes: Buffer;
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
  readonly #segmentBytes: number;
  /** What the waiting blocks take in memory. */
  #waitingBytes = 0;
  /** How many of them, from the first on, are being written and must not change. */
  #inFlight = 0;
  #made = 0;
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> | undefined;
  #health: SpillHealth = { kind: "good" };

  constructor(options: SpillOptions) {
    this.#options = options;
    this.#segmentBytes = Math.min(options.maxBytes / MIN_SEGMENTS, MAX_SEGMENT_BYTES);
  }

  get health(): SpillHealth {
    return this.#health;
  }

  append(cursor: Cursor, bytes: Uint8Array, origin: Origin): void {
    if (this.#waitingBytes + bytes.length > MAX_WAITING_BYTES) {
      this.#lose(cursor, bytes.length, "the disk does not keep up");
      return;
    }
    let rest = bytes;
    while (rest.length > 0) rest = rest.subarray(this.#fill(cursor + bytes.length - rest.length, rest, origin));
    this.#timer ??= setTimeout(() => this.#startFlush(), FLUSH_AFTER_MS);
  }

  /** What the disk has from `from` on; undefined where it has nothing there or later before `before`. */
  async read(from: Cursor, before: Cursor, maxBytes: number): Promise<Page | undefined> {
    await this.flush();
    for (let start = from; ; ) {
      const segment = this.#segments.find(({ to }) => to > start);
      if (!segment || segment.from >= before) return undefined;
      // It may be deleted meanwhile, or broken: then the next one is the oldest.
      const file = await readFile(segment.path).catch(() => undefined);
      const page = file && pageOf(file, { asked: from, start, before, maxBytes });
      if (page) return page;
      start = segment.to;
    }
  }

  /** Resolves when all output so far is on disk, or known not to be. What comes meanwhile is not waited for. */
  async flush(): Promise<void> {
    const last = this.#waiting.at(-1);
    while (last && this.#waiting.includes(last)) await this.#startFlush();
  }

  async close({ keep }: { readonly keep: boolean }): Promise<void> {
    await this.flush();
    clearTimeout(this.#timer);
    if (!keep) await rm(this.#options.directory, { recursive: true, force: true }).catch(() => undefined);
  }

  /** How many of `bytes` went into the last block. */
  #fill(cursor: Cursor, bytes: Uint8Array, origin: Origin): number {
    const last = this.#waiting.at(-1);
    const isOpen =
      last?.origin === origin && last.cursor + last.length === cursor && this.#waiting.length > this.#inFlight;
    const block = isOpen && last.length < BLOCK_BYTES ? last : this.#addBlock(cursor, origin);
    const taken = Math.min(bytes.length, BLOCK_BYTES - block.length);
    this.#makeRoom(block, block.length + taken);
    block.bytes.set(bytes.subarray(0, taken), block.length);
    block.length += taken;
    return taken;
  }

  #addBlock(cursor: Cursor, origin: Origin): Block {
    const block = { cursor, origin, bytes: Buffer.allocUnsafeSlow(FIRST_BLOCK_BYTES), length: 0 };
    this.#waiting.push(block);
    this.#waitingBytes += FIRST_BLOCK_BYTES;
    return block;
  }

  #makeRoom(block: Block, needed: number): void {
    let size = block.bytes.length;
    while (size < needed) size *= 2;
    if (size === block.bytes.length) return;
    this.#waitingBytes += size - block.bytes.length;
    const grown = Buffer.allocUnsafeSlow(size);
    grown.set(block.bytes.subarray(0, block.length));
    block.bytes = grown;
  }

  #startFlush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#flushing ??= this.#writeAll().finally(() => {
      this.#flushing = undefined;
    });
    return this.#flushing;
  }

  /** All that waits when it begins; what comes meanwhile gets its own turn, or a flood would never let it end. */
  async #writeAll(): Promise<void> {
    for (let left = this.#waiting.length; left > 0; ) {
      const batch = this.#nextBatch(left);
      this.#inFlight = batch.length;
      const lengths = batch.map(({ length }) => length).reduce((sum, length) => sum + length, 0);
      try {
        await this.#writeBatch(batch);
      } catch (error) {
        this.#lose(batch[0]?.cursor ?? 0, lengths, String((error as NodeJS.ErrnoException).code ?? error));
      }
      this.#inFlight = 0;
      for (const block of this.#waiting.splice(0, batch.length)) this.#waitingBytes -= block.bytes.length;
      left -= batch.length;
    }
    if (this.#waiting.length > 0) this.#timer ??= setTimeout(() => this.#startFlush(), FLUSH_AFTER_MS);
  }

  #nextBatch(most: number): readonly Block[] {
    const maxBytes = Math.min(BATCH_BYTES, this.#segmentBytes);
    let count = 1;
    let bytes = this.#waiting[0]?.length ?? 0;
    for (; count < most; count += 1) {
      bytes += HEADER_BYTES + (this.#waiting[count]?.length ?? 0);
      if (bytes > maxBytes) break;
    }
    return this.#waiting.slice(0, count);
  }

  async #writeBatch(batch: readonly Block[]): Promise<void> {
    const records = Buffer.concat(
      batch.map((block) => encodeRecord({ ...block, bytes: block.bytes.subarray(0, block.length) })),
    );
    const segment = await this.#segmentFor(records.length, batch[0]?.cursor ?? 0);
    const file = await open(segment.path, "a", 0o600);
    try {
      // A disk that takes only a part says why when it is asked to take the rest.
      for (let at = 0; at < records.length; ) at += (await file.write(records, at)).bytesWritten;
      segment.fileBytes += records.length;
      const last = batch.at(-1);
      if (last) segment.to = last.cursor + last.length;
    } catch (error) {
      // The next record must begin on a clean border.
      await file.truncate(segment.fileBytes).catch(() => undefined);
      throw error;
    } finally {
      await file.close();
    }
  }

  async #segmentFor(bytes: number, cursor: Cursor): Promise<Segment> {
    const last = this.#segments.at(-1);
    if (last && (last.fileBytes === 0 || last.fileBytes + bytes <= this.#segmentBytes)) return last;
    await mkdir(this.#options.directory, { recursive: true, mode: 0o700 });
    await this.#dropOldest();
    this.#made += 1;
    const path = join(this.#options.directory, `${String(this.#made).padStart(8, "0")}.journal`);
    const segment = { path, from: cursor, to: cursor, fileBytes: 0 };
    this.#segments.push(segment);
    return segment;
  }

  async #dropOldest(): Promise<void> {
    if (this.#segments.length < Math.floor(this.#options.maxBytes / this.#segmentBytes)) return;
    const oldest = this.#segments.shift();
    if (oldest) await rm(oldest.path, { force: true });
  }

  #lose(cursor: Cursor, bytes: number, reason: string): void {
    const before = this.#health.kind === "degraded" ? this.#health : { lostBytes: 0, atCursor: cursor };
    this.#health = { kind: "degraded", lostBytes: before.lostBytes + bytes, atCursor: before.atCursor, reason };
  }
}
