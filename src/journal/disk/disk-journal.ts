/**
 * The part of the journal on disk: all output, in segments. At the limit the oldest segments are deleted.
 *
 * It never slows the program down. While the disk is busy, output is queued up to a limit; if the disk fails or hangs,
 * the session continues without it. Output that was not written is counted, reported in `health`, and leaves a gap in
 * the cursors on disk. No descriptor stays open between writes.
 */

import { join } from "node:path";
import { withTimeout } from "../../base/async/with-timeout.ts";
import type { Cursor, Page } from "../../base/cursor.ts";
import type { Origin } from "../../transport/transport.ts";
import { type Disk, pooledDisk } from "./disk.ts";
import { encodeRecords, HEADER_BYTES } from "./disk-record.ts";
import { degraded, type JournalHealth, type OnLoss } from "./journal-health.ts";
import { noteMark, readSegment, type Segment } from "./segment.ts";
import { type Block, FULL_RECORD_BYTES, WaitingBlocks } from "./waiting-blocks.ts";

/** Large writes are efficient. Smaller amounts are written after this delay. */
const BATCH_BYTES = 256 * 1024;
const FLUSH_AFTER_MS = 20;
/**
 * When the disk is behind, fewer and larger writes let it catch up, because on a busy machine each write has to wait.
 */
const LARGE_BATCH_BYTES = 1024 * 1024;
/** If the disk is this far behind, output is dropped instead of queued. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;
/** A disk without progress for this long counts as hung. No call waits for it until it responds. */
const PATIENCE_MS = 1_000;
/** The minimum number of segments, so that deleting the oldest removes only a small part. */
const MIN_SEGMENTS = 16;
/** Limited, because the segments of another process are read as a whole at first. */
const MAX_SEGMENT_BYTES = 4 * 1024 * 1024;

export interface DiskJournalOptions {
  readonly directory: string;
  readonly maxBytes: number;
  /** Default: Node's pool of threads. */
  readonly disk?: Disk | undefined;
  /** Segments that already exist. Nothing is added to them. */
  readonly restored?: readonly Segment[];
  /** What was lost before. Default: nothing. */
  readonly health?: JournalHealth;
}

export class DiskJournal {
  readonly #options: DiskJournalOptions;
  readonly #disk: Disk;
  readonly #waiting = new WaitingBlocks();
  readonly #segments: Segment[] = [];
  readonly #segmentBytes: number;
  #made = 0;
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> | undefined;
  #isClosed = false;
  /** The last write to the disk has failed. */
  #isRefusing = false;
  /** How many operations the disk has not completed in time. */
  #unanswered = 0;
  #progressMs = 0;
  #health: JournalHealth;
  #onLoss: OnLoss = () => undefined;

  constructor(options: DiskJournalOptions) {
    this.#options = options;
    this.#disk = options.disk ?? pooledDisk;
    this.#health = options.health ?? { kind: "good" };
    this.#segments.push(...(options.restored ?? []));
    this.#segmentBytes = Math.min(options.maxBytes / MIN_SEGMENTS, MAX_SEGMENT_BYTES);
  }

  get health(): JournalHealth {
    const { first } = this.#waiting;
    if (!this.#isStuck || !first) return this.#health;
    return degraded(this.#health, {
      cursor: first.cursor,
      bytes: this.#waiting.bytes,
      reason: "the disk does not answer",
    });
  }

  /** Calls `listener` at each loss. There is one listener. */
  onLoss(listener: OnLoss): void {
    this.#onLoss = listener;
  }

  append(cursor: Cursor, bytes: Uint8Array, origin: Origin): void {
    if (this.#waiting.memoryBytes + bytes.length > MAX_WAITING_BYTES) {
      this.#lose(cursor, bytes.length, "the disk does not keep up");
      return;
    }
    this.#waiting.add(cursor, bytes, origin);
    this.#timer ??= setTimeout(() => this.#startFlush(), FLUSH_AFTER_MS);
  }

  /** The output on disk from `from` on; undefined if there is none before `before`. */
  async read(from: Cursor, before: Cursor, maxBytes: number): Promise<Page | undefined> {
    // Flushes only if needed: during a flood, each read would otherwise wait until the latest output is written.
    if (!this.#segments.some(({ to }) => to > from)) await this.flush();
    let start = from;
    while (!this.#isStuck) {
      const segment = this.#segments.find(({ to }) => to > start);
      if (!segment || segment.from >= before) break;
      // The segment may have been deleted in the meantime, or be damaged: then continue with the next one.
      const page = await this.#ask(readSegment(segment, { asked: from, start, before, maxBytes }));
      if (page) return page;
      start = segment.to;
    }
    return this.#waiting.page({ asked: from, start, before, maxBytes });
  }

  /**
   * Resolves when all output so far is on disk or known to be lost, or when the disk hangs. Does not wait for output
   * that arrives in the meantime.
   */
  async flush(): Promise<void> {
    const { last } = this.#waiting;
    while (last && this.#waiting.has(last)) {
      const flushing = this.#startFlush();
      if (this.#isStuck) return;
      await withTimeout(this.#progressMs + PATIENCE_MS - performance.now(), flushing);
    }
  }

  async close({ keep }: { readonly keep: boolean }): Promise<void> {
    await this.flush();
    this.#isClosed = true;
    clearTimeout(this.#timer);
    if (!keep) await this.#ask(this.#disk.run({ kind: "remove", path: this.#options.directory }));
  }

  get #isStuck(): boolean {
    const isWriteStuck = this.#flushing !== undefined && performance.now() - this.#progressMs >= PATIENCE_MS;
    return isWriteStuck || this.#unanswered > 0;
  }

  /** Undefined if the operation fails or the disk hangs. */
  async #ask<T>(work: Promise<T>): Promise<T | undefined> {
    let isAnswered = false;
    const answer = work
      .catch(() => undefined)
      .finally(() => {
        isAnswered = true;
      });
    const given = await withTimeout(PATIENCE_MS, answer);
    if (isAnswered) return given;
    this.#unanswered += 1;
    void answer.then(() => {
      this.#unanswered -= 1;
    });
    return undefined;
  }

  #startFlush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#flushing) this.#progressMs = performance.now();
    this.#flushing ??= this.#writeAll().finally(() => {
      this.#flushing = undefined;
    });
    return this.#flushing;
  }

  /**
   * Writes everything queued at the start of the call. Later output gets another call, because a flood would never let
   * this one end.
   */
  async #writeAll(): Promise<void> {
    for (let left = this.#waiting.count; left > 0 && !this.#isClosed; ) {
      const batchBytes = this.#batchBytes;
      const batch = this.#waiting.take(left, Math.min(batchBytes, this.#roomBytes));
      try {
        await this.#writeBatch(batch);
        this.#isRefusing = false;
      } catch (error) {
        this.#isRefusing = true;
        // A smaller part may fit.
        if (batchBytes > BATCH_BYTES) {
          this.#progressMs = performance.now();
          continue;
        }
        const lost = batch.reduce((sum, { length }) => sum + length, 0);
        this.#lose(batch[0]?.cursor ?? 0, lost, String((error as NodeJS.ErrnoException).code ?? error));
      }
      this.#waiting.drop();
      this.#progressMs = performance.now();
      left -= batch.length;
    }
    if (this.#waiting.count > 0 && !this.#isClosed)
      this.#timer ??= setTimeout(() => this.#startFlush(), FLUSH_AFTER_MS);
  }

  get #batchBytes(): number {
    if (this.#isRefusing) return BATCH_BYTES;
    return this.#waiting.memoryBytes > LARGE_BATCH_BYTES ? LARGE_BATCH_BYTES : BATCH_BYTES;
  }

  /** How many bytes fit into the current segment, or into the next one. */
  get #roomBytes(): number {
    const left = this.#segmentBytes - (this.#segments.at(-1)?.fileBytes ?? this.#segmentBytes);
    return left < FULL_RECORD_BYTES ? this.#segmentBytes : left;
  }

  async #writeBatch(batch: readonly Block[]): Promise<void> {
    const bytes = encodeRecords(batch.map((block) => ({ ...block, bytes: block.bytes.subarray(0, block.length) })));
    const segment = await this.#segmentFor(bytes.length, batch[0]?.cursor ?? 0);
    const { path, fileBytes, marks = [] } = segment;
    const newDirectory = fileBytes === 0 ? this.#options.directory : undefined;
    await this.#disk.run({ kind: "append", path, bytes, fileBytes, newDirectory });
    for (const { cursor, length } of batch) {
      noteMark(marks, { cursor, at: segment.fileBytes });
      segment.fileBytes += HEADER_BYTES + length;
    }
    const last = batch.at(-1);
    if (last) segment.to = last.cursor + last.length;
  }

  async #segmentFor(bytes: number, cursor: Cursor): Promise<Segment> {
    const last = this.#segments.at(-1);
    if (last && (last.fileBytes === 0 || last.fileBytes + bytes <= this.#segmentBytes)) return last;
    await this.#dropOldest();
    this.#made += 1;
    const path = join(this.#options.directory, `${String(this.#made).padStart(8, "0")}.journal`);
    const segment = { path, from: cursor, to: cursor, fileBytes: 0, marks: [] };
    this.#segments.push(segment);
    return segment;
  }

  async #dropOldest(): Promise<void> {
    if (this.#segments.length < Math.floor(this.#options.maxBytes / this.#segmentBytes)) return;
    const oldest = this.#segments.shift();
    if (oldest) await this.#disk.run({ kind: "remove", path: oldest.path });
  }

  #lose(cursor: Cursor, bytes: number, reason: string): void {
    const health = degraded(this.#health, { cursor, bytes, reason });
    this.#health = health;
    this.#onLoss(health, cursor + bytes);
  }
}
