/**
 * All output of one session, in memory and on disk, and those who read it.
 *
 * Output is journaled in the turn in which it arrives, before anybody hears of it. All readers wait for the same
 * thing, a change, and then read the journal at their own cursor.
 */
import type { Cursor, Page } from "../base/cursor.ts";
import { READ_BYTES } from "../base/limits.ts";
import { requireInteger } from "../base/require-integer.ts";
import type { TerminalSize } from "../base/terminal-size.ts";
import type { Channel, Origin } from "../transport/transport.ts";
import { AlternateScreen } from "./alternate-screen.ts";
import { Changes } from "./changes.ts";
import type { DiskJournal, JournalHealth } from "./disk-journal.ts";
import { Flow, type Reader } from "./flow.ts";
import { Journal } from "./journal.ts";
import type { Span } from "./origins.ts";
import type { RestoredOutput } from "./restore-journal.ts";
import { Timeline } from "./timeline.ts";

/** Which piece of the output to read. */
export interface ReadOptions {
  /** Where to begin. Default 0, the beginning. */
  readonly from?: Cursor;
  /** At most this many bytes; a page may be smaller, also where more follows. Default 64 KiB. */
  readonly maxBytes?: number;
}

interface OutputStoreOptions {
  readonly journalBytes: number;
  readonly disk: DiskJournal | undefined;
  readonly onFlood: "drop" | "block";
  /** Of a session of another process, which has left it on disk: nothing can follow. */
  readonly restored?: RestoredOutput | undefined;
}

export const ANY_CURSOR: { readonly min: number; readonly max: number } = { min: 0, max: Number.MAX_SAFE_INTEGER };

export class OutputStore {
  readonly changes: Changes = new Changes();
  /** Of the terminal, which tells what can still be redrawn; undefined without one. */
  size: TerminalSize | undefined;
  readonly #options: OutputStoreOptions;
  readonly #journal: Journal;
  readonly #alternateScreen = new AlternateScreen();
  #flow: Flow | undefined;
  #hasEnded = false;
  #isDiscarded = false;
  #lastMs: number = performance.now();
  readonly timeline: Timeline = new Timeline(this.#lastMs);

  constructor(options: OutputStoreOptions) {
    this.#options = options;
    const { journalBytes, restored } = options;
    this.#journal = new Journal(journalBytes, restored?.end);
    for (const { at, origin } of restored?.origins ?? []) this.#journal.noteOrigin(at, origin);
    if (restored) this.finish();
  }

  get end(): Cursor {
    return this.#journal.end;
  }

  /** When the last output came, on the clock of `performance.now()`. */
  get lastMs(): number {
    return this.#lastMs;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** The program has taken the alternate screen, as editors and pagers do. */
  get isFullScreen(): boolean {
    return this.#alternateScreen.isActive;
  }

  get health(): JournalHealth | undefined {
    return this.#options.disk?.health;
  }

  /** Output may arrive before the channel is known; from here on readers can hold it up. */
  attach(channel: Channel): void {
    // Half of the journal, so that what arrives before a pause takes effect still finds room.
    if (this.#options.onFlood === "block") this.#flow = new Flow(channel, this.#options.journalBytes / 2);
  }

  append(bytes: Uint8Array, origin: Origin): void {
    this.#lastMs = performance.now();
    this.timeline.note(this.#journal.end, this.#lastMs);
    this.#options.disk?.append(this.#journal.end, bytes, origin);
    this.#journal.append(bytes, origin);
    this.#alternateScreen.note(bytes);
    this.#flow?.update(this.#journal.end);
    this.changes.announce();
  }

  /** The program printed something that the journal leaves out: it has not been silent. */
  noteActivity(): void {
    this.#lastMs = performance.now();
    this.changes.announce();
  }

  finish(): void {
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
    // Taken first: while the disk is asked, memory may drop more, which nobody would have counted.
    const inMemory = this.#journal.read(from, maxBytes);
    const onDisk = inMemory.dropped > 0 ? await this.#options.disk?.read(from, inMemory.from, maxBytes) : undefined;
    const page = onDisk ?? inMemory;
    this.#flow?.seen(page.from, page.next);
    this.#flow?.update(this.end);
    return page;
  }

  /** What memory holds, in this turn. */
  readMemory({ from = 0, maxBytes = READ_BYTES }: ReadOptions): Page {
    return this.#journal.read(from, maxBytes);
  }

  /** Until it leaves, output that this reader has not read yet holds the program up, where the session asks for that. */
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

  /** Memory has dropped it, and there is a disk that may still have it. */
  isOnDiskOnly(cursor: Cursor): boolean {
    const { gap } = this.#journal;
    return this.#options.disk !== undefined && cursor >= gap.from && cursor < gap.to;
  }

  async flush(): Promise<void> {
    await this.#options.disk?.flush();
  }

  /** What is on disk was deleted, or is about to be. */
  get isDiscarded(): boolean {
    return this.#isDiscarded;
  }

  /** Deletes what is on disk. */
  async discard(): Promise<void> {
    this.#isDiscarded = true;
    await this.#options.disk?.close({ keep: false });
  }
}
