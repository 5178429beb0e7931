/** The output of a session, in every form in which it can be read. */
import type { Cursor, Page } from "../../base/cursor.ts";
import type { JournalHealth } from "../../journal/disk/journal-health.ts";
import { followOutput, type OutputOptions } from "../../journal/follow-output.ts";
import type { Span } from "../../journal/origins.ts";
import type { OutputStore, ReadOptions } from "../../journal/output-store.ts";
import { readText, type TextPage } from "../../journal/read-text.ts";
import type { Timeline } from "../../journal/timeline.ts";
import type { GrepResult } from "../../text/search/grep.ts";
import { OutputReader } from "./output-reader.ts";
import {
  readDigest,
  readHead,
  readTail,
  type SearchOptions,
  type SessionReading,
  type TextOptions,
} from "./read-digest.ts";
import { readPage } from "./read-page.ts";
import { searchOutput } from "./search-output.ts";

/** Everything that can be read of a session. `Session` extends it. */
export class ReadableOutput {
  readonly #store: OutputStore;

  /** @internal */
  constructor(store: OutputStore) {
    this.#store = store;
  }

  /** The cursor of the next output byte, which equals the number of bytes so far. */
  get endCursor(): Cursor {
    return this.#store.end;
  }

  /** When output arrived and when the size changed. Times are coarse, and only a limited number is kept. */
  get timeline(): Timeline {
    return this.#store.timeline;
  }

  /** Milliseconds since the last output, or since the start if there was none. */
  get silentMs(): number {
    return performance.now() - this.#store.lastMs;
  }

  /** Whether all output also reaches the disk; undefined if the session is in memory only. */
  get journalHealth(): JournalHealth | undefined {
    return this.#store.health;
  }

  /**
   * Reads available output; never waits for more. Output that was dropped from memory is read from disk if it is kept
   * there, otherwise it is skipped and counted. A cursor beyond the end reads nothing and continues at the end.
   */
  read(options: ReadOptions = {}): Promise<Page> {
    return this.#store.read(options);
  }

  /** Like `read`, as UTF-8 text. An incomplete character is left for the next page. */
  readText(options: ReadOptions = {}): Promise<TextPage> {
    return readText(this.#store, options);
  }

  /** The output as a model should read it: clean, folded, within a budget, with the cursors of what was cut. */
  text(options: TextOptions = {}): Promise<SessionReading> {
    return readDigest(this.#store, options);
  }

  /**
   * Creates a reader with its own cursor: each call returns what is new since the last. Default: from the beginning.
   */
  reader({ from = 0 }: { readonly from?: Cursor } = {}): OutputReader {
    return new OutputReader(this.#store, from);
  }

  /**
   * As much of the text from `from` on as fits the budget, uncut. `next` is where the next page begins: reading on
   * returns each line once. Equal lines are folded.
   */
  page(options: TextOptions = {}): Promise<SessionReading> {
    return readPage(this.#store, options);
  }

  /** Like `text`, for the first lines. */
  head(lines: number, options: TextOptions = {}): Promise<SessionReading> {
    return readHead(this.#store, lines, options);
  }

  /** Like `text`, for the last lines. */
  tail(lines: number, options: TextOptions = {}): Promise<SessionReading> {
    return readTail(this.#store, lines, options);
  }

  /** Searches all kept output, in memory and on disk. Returns line numbers and context. */
  grep(pattern: string | RegExp, options: SearchOptions = {}): Promise<GrepResult> {
    return searchOutput(this.#store, pattern, options);
  }

  /** The stream that each part of `[from, to)` came from, in order. After 65,536 switches the oldest are dropped. */
  origins(from: Cursor, to: Cursor): Span[] {
    return this.#store.spans(from, to);
  }

  /**
   * Yields all output from a cursor on as it arrives, until no more can follow. Each page says how much its reader has
   * missed.
   */
  output(options: OutputOptions = {}): AsyncGenerator<Page, void, undefined> {
    return followOutput(this.#store, options);
  }

  /** Resolves when all output so far is on disk, or is known not to be. */
  flush(): Promise<void> {
    return this.#store.flush();
  }
}
