/**
 * All output of one session, in memory and on disk, and its readers.
 *
 * Output is added to the journal synchronously when it arrives, before any reader is notified. All readers wait for a
 * change and then read the journal at their own cursor.
 */
import type { Cursor, Page } from "../base/cursor.ts";
import { READ_BYTES } from "../base/limits.ts";
import { requireInteger } from "../base/require-integer.ts";
import type { TerminalSize } from "../base/terminal-size.ts";
import type { Channel, Origin } from "../transport/transport.ts";
import { Changes } from "./changes.ts";
import type { DiskJournal } from "./disk/disk-journal.ts";
import type { JournalHealth, OnLoss } from "./disk/journal-health.ts";
import type { RestoredOutput } from "./disk/restore-journal.ts";
import { Flow, type Reader } from "./flow.ts";
import { Journal } from "./journal.ts";
import type { Span } from "./origins.ts";
import { redactPage } from "./redaction/redact-page.ts";
import { Redacting } from "./redaction/redacting.ts";
import type { Redaction } from "./redaction/redaction.ts";
import { Timeline } from "./timeline.ts";

/** Which piece of the output to read. */
export interface ReadOptions {
  /** Where to start. Default 0, the beginning. */
  readonly from?: Cursor;
  /** The maximum size of the page. A page may be smaller even if more output follows. Default 64 KiB. */
  readonly maxBytes?: number;
}

interface OutputStoreOptions {
  readonly journalBytes: number;
  readonly disk: DiskJournal | undefined;
  readonly onFlood: "drop" | "block";
  /** The output that a session of another process left on disk. No output can follow. */
  readonly restored?: RestoredOutput | undefined;
  /** What to redact before it is stored. Default: nothing. */
  readonly redaction?: Redaction | undefined;
}

export const ANY_CURSOR: { readonly min: number; readonly max: number } = { min: 0, max: Number.MAX_SAFE_INTEGER };

export class OutputStore {
  readonly changes: Changes = new Changes();
  /** The size of the terminal, which determines what can still be redrawn; undefined without a terminal. */
  size: TerminalSize | undefined;
  readonly #options: OutputStoreOptions;
  readonly #journal: Journal;
  readonly #redacting: Redacting | undefined;
  #flow: Flow | undefined;
  #hasEnded = false;
  /** The end of the output when the program ended. */
  #exitEnd: Cursor | undefined;
  #isDiscarded = false;
  #lastMs: number = performance.now();
  readonly timeline: Timeline = new Timeline(this.#lastMs);

  constructor(options: OutputStoreOptions) {
    this.#options = options;
    const { journalBytes, restored, redaction, disk } = options;
    this.#journal = new Journal(journalBytes, restored?.end);
    const onSettled = () => this.changes.announce();
    this.#redacting = redaction && new Redacting(redaction, { journal: this.#journal, disk, onSettled });
    for (const { at, origin } of restored?.origins ?? []) this.#journal.noteOrigin(at, origin);
    if (restored) this.finish();
  }

  get end(): Cursor {
    return this.#journal.end;
  }

  /**
   * The end of the output that can be read now. Output after it may be the beginning of a secret, and is held back for
   * some milliseconds.
   */
  get readableEnd(): Cursor {
    return this.#redacting?.openFrom ?? this.end;
  }

  /** Call when no output follows soon, such as while the program waits for input: all output can be read then. */
  settle(): void {
    this.#redacting?.settle();
  }

  /** When the last output arrived, on the clock of `performance.now()`. */
  get lastMs(): number {
    return this.#lastMs;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  get health(): JournalHealth | undefined {
    return this.#options.disk?.health;
  }

  /** Calls `listener` when output did not reach the disk. There is one listener. */
  onLoss(listener: OnLoss): void {
    this.#options.disk?.onLoss(listener);
  }

  /** Output may arrive before the channel is known. From this call on, readers can pause the program. */
  attach(channel: Channel): void {
    // Half of the journal, so that output that arrives before a pause takes effect still fits.
    if (this.#options.onFlood === "block") this.#flow = new Flow(channel, this.#options.journalBytes / 2);
  }

  append(bytes: Uint8Array, origin: Origin): void {
    this.#lastMs = performance.now();
    this.timeline.note(this.#journal.end, this.#lastMs);
    if (this.#redacting?.isNeeded) this.#redacting.append(bytes, origin);
    else {
      this.#options.disk?.append(this.#journal.end, bytes, origin);
      this.#journal.append(bytes, origin);
    }
    this.#flow?.update(this.#journal.end);
    this.changes.announce();
  }

  /** Call when the program printed something that is not journaled: it was not silent. */
  noteActivity(): void {
    this.#lastMs = performance.now();
    this.changes.announce();
  }

  /** Call when the program has ended and all its output has arrived. Processes that it started may still print. */
  noteExit(): void {
    this.settle();
    this.#exitEnd = this.end;
    this.changes.announce();
  }

  /** Whether the output is complete, so that an incomplete character or sequence at its end will not be continued. */
  get isComplete(): boolean {
    return this.#hasEnded || this.#exitEnd === this.end;
  }

  finish(): void {
    this.settle();
    this.#hasEnded = true;
    this.timeline.finish();
    this.changes.announce();
  }

  spans(from: Cursor, to: Cursor): Span[] {
    return this.#journal.spans(from, to);
  }

  async read({ from = 0, maxBytes = READ_BYTES }: ReadOptions): Promise<Page> {
    requireInteger("from", from, ANY_CURSOR);
    requireInteger("maxBytes", maxBytes, { min: 1, max: Number.MAX_SAFE_INTEGER });
    await this.#redacting?.untilReadable(from);
    // Read first: during the disk access memory may drop more, which would not be counted.
    const inMemory = this.readMemory({ from, maxBytes });
    const onDisk = inMemory.dropped > 0 ? await this.#readDisk(from, inMemory.from, maxBytes) : undefined;
    const page = onDisk ?? inMemory;
    this.#flow?.seen(page.from, page.next);
    this.#flow?.update(this.end);
    return page;
  }

  /** Synchronously reads what memory holds, up to the readable end. */
  readMemory({ from = 0, maxBytes = READ_BYTES }: ReadOptions): Page {
    this.#redacting?.refresh();
    return upTo(this.#journal.read(from, maxBytes), this.readableEnd);
  }

  /** Adds a reader. With `onFlood: "block"`, output that it has not read pauses the program until the reader leaves. */
  join(reader: Reader): void {
    this.#flow?.join(reader);
  }

  leave(reader: Reader): void {
    this.#flow?.leave(reader);
    this.#flow?.update(this.end);
  }

  /** Call when a reader that joined has read. */
  noteRead(): void {
    this.#flow?.update(this.end);
  }

  /** Whether memory has dropped this byte while the disk may have it. */
  isOnDiskOnly(cursor: Cursor): boolean {
    const { gap } = this.#journal;
    return this.#options.disk !== undefined && cursor >= gap.from && cursor < gap.to;
  }

  /** Redacts what it reads, because it may have been written before its secrets were known. */
  async #readDisk(from: Cursor, before: Cursor, maxBytes: number): Promise<Page | undefined> {
    const { disk, redaction } = this.#options;
    if (!disk || !redaction || redaction.version === 0) return await disk?.read(from, before, maxBytes);
    return await redactPage(disk, redaction, { from, before, maxBytes });
  }

  async flush(): Promise<void> {
    this.settle();
    await this.#options.disk?.flush();
  }

  /** The files on disk are deleted, or are about to be. */
  get isDiscarded(): boolean {
    return this.#isDiscarded;
  }

  /** Deletes the files on disk. */
  async discard(): Promise<void> {
    this.#isDiscarded = true;
    await this.#options.disk?.close({ keep: false });
  }
}

/** Pure: a page without what follows `end`. */
function upTo(page: Page, end: Cursor): Page {
  if (page.next <= end) return page;
  const next = Math.max(page.from, end);
  return { ...page, bytes: page.bytes.subarray(0, next - page.from), next };
}
