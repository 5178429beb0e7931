/**
 * The part of the journal that lives on disk: all output, in segments, the oldest of which are deleted at the bound.
 *
 * It never slows the program: output waits in a bounded block while the disk is busy, and when the disk refuses or hangs
 * the session goes on without it. What was not written is counted, shows in `health`, and is a gap in the cursors on disk.
 * No descriptor is kept open between writes.
 */

import { open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Cursor, Page } from "../base/cursor.ts";
import { makeDirectory } from "../base/make-directory.ts";
import { withTimeout } from "../base/with-timeout.ts";
import type { Origin } from "../transport/transport.ts";
import { pageOf } from "./disk-page.ts";
import { encodeRecord } from "./disk-record.ts";
import { type Block, WaitingBlocks } from "./waiting-blocks.ts";

/** Large writes are cheap writes; small ones follow this soon. */
const BATCH_BYTES = 256 * 1024;
const FLUSH_AFTER_MS = 20;
/** A disk that has fallen this far behind is not waited for. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;
/** A disk that has done nothing for this long does not answer. Nobody waits for it until it does. */
const PATIENCE_MS = 1_000;
/** At least this many segments, so that dropping the oldest costs little of what is kept. */
const MIN_SEGMENTS = 16;
/** A segment is read as a whole. */
const MAX_SEGMENT_BYTES = 4 * 1024 * 1024;

export interface DiskJournalOptions {
  readonly directory: string;
  readonly maxBytes: number;
  /** What lies there already; nothing is added to it. */
  readonly restored?: readonly Segment[];
}

/**
 * Whether all output reached the disk. `degraded`, which stays: `lostBytes` in total are not there, the first of them at
 * `atCursor`; `reason` is the latest, mostly the disk's own (ENOSPC). Where the disk does not answer, `lostBytes` counts what
 * waits for it too, which may still get there.
 */
export type JournalHealth =
  | { readonly kind: "good" }
  | { readonly kind: "degraded"; readonly lostBytes: number; readonly atCursor: Cursor; readonly reason: string };

export interface Segment {
  readonly path: string;
  readonly from: Cursor;
  to: Cursor;
  fileBytes: number;
}

export class DiskJournal {
  readonly #options: DiskJournalOptions;
  readonly #waiting = new WaitingBlocks();
  readonly #segments: Segment[] = [];
  readonly #segmentBytes: number;
  #made = 0;
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> | undefined;
  #isClosed = false;
  /** How many questions the disk has left without an answer for too long. */
  #unanswered = 0;
  #progressMs = 0;
  #health: JournalHealth = { kind: "good" };

  constructor(options: DiskJournalOptions) {
    this.#options = options;
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

  append(cursor: Cursor, bytes: Uint8Array, origin: Origin): void {
    if (this.#waiting.memoryBytes + bytes.length > MAX_WAITING_BYTES) {
      this.#lose(cursor, bytes.length, "the disk does not keep up");
      return;
    }
    this.#waiting.add(cursor, bytes, origin);
    this.#timer ??= setTimeout(() => this.#startFlush(), FLUSH_AFTER_MS);
  }

  /** What is kept here from `from` on; undefined where that is nothing there or later before `before`. */
  async read(from: Cursor, before: Cursor, maxBytes: number): Promise<Page | undefined> {
    await this.flush();
    let start = from;
    while (!this.#isStuck) {
      const segment = this.#segments.find(({ to }) => to > start);
      if (!segment || segment.from >= before) break;
      // It may be deleted meanwhile, or broken: then the next one is the oldest.
      const file = await this.#ask(readFile(segment.path));
      const page = file && pageOf(file, { asked: from, start, before, maxBytes });
      if (page) return page;
      start = segment.to;
    }
    return this.#waiting.page({ asked: from, start, before, maxBytes });
  }

  /**
   * Resolves when all output so far is on disk, or known not to be, or when the disk does not answer. What comes meanwhile
   * is not waited for.
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
    if (!keep) await this.#ask(rm(this.#options.directory, { recursive: true, force: true }));
  }

  get #isStuck(): boolean {
    const isWriteStuck = this.#flushing !== undefined && performance.now() - this.#progressMs >= PATIENCE_MS;
    return isWriteStuck || this.#unanswered > 0;
  }

  /** Undefined when the disk refuses or does not answer. */
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

  /** All that waits when it begins; what comes meanwhile gets its own turn, or a flood would never let it end. */
  async #writeAll(): Promise<void> {
    for (let left = this.#waiting.count; left > 0 && !this.#isClosed; ) {
      const batch = this.#waiting.take(left, Math.min(BATCH_BYTES, this.#segmentBytes));
      try {
        await this.#writeBatch(batch);
      } catch (error) {
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
    await makeDirectory(this.#options.directory, 0o700);
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
    this.#health = degraded(this.#health, { cursor, bytes, reason });
  }
}

/** Pure. */
function degraded(
  before: JournalHealth,
  lost: { readonly cursor: Cursor; readonly bytes: number; readonly reason: string },
): JournalHealth {
  const { lostBytes, atCursor } = before.kind === "degraded" ? before : { lostBytes: 0, atCursor: lost.cursor };
  return { kind: "degraded", lostBytes: lostBytes + lost.bytes, atCursor, reason: lost.reason };
}
