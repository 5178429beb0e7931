/**
 * Reads the output of a session for one caller and returns what is new, as clean text.
 *
 * Only new output is cleaned, in the context of what came before: if a line that was returned has only grown, its
 * continuation is returned; if it was redrawn, the whole line is returned again.
 */
import type { Cursor } from "../../base/cursor.ts";
import { inShares } from "../../journal/next-share.ts";
import { pagesOf } from "../../journal/output-pages.ts";
import type { OutputStore } from "../../journal/output-store.ts";
import { Digest } from "../../text/budget/digest.ts";
import { Cleaner } from "../../text/clean/cleaner.ts";
import { incompleteTail } from "../../text/clean/incomplete-tail.ts";
import { DEFAULT_MAX_TOKENS, type SessionReading, type TextOptions } from "./read-digest.ts";
import { withCutStart } from "./with-cut-start.ts";

/** Options of `OutputReader.next`. */
export type NewTextOptions = Omit<TextOptions, "from" | "origin" | "isComplete">;

/** How much output before a cursor is re-read for context: more than one screen of text and colours. */
const RECALL_BYTES = 64 * 1024;

interface NextOptions extends NewTextOptions {
  readonly signal?: AbortSignal | undefined;
  /** Return the output from this cursor on again, if it was returned already. Default: only new output. */
  readonly from?: Cursor | undefined;
}

/** A reader with its own cursor in the output of a session. */
export class OutputReader {
  readonly #store: OutputStore;
  #cleaner: Cleaner;
  #cursor: Cursor;
  #last: Promise<unknown> = Promise.resolve();

  constructor(store: OutputStore, from: Cursor) {
    this.#store = store;
    this.#cleaner = new Cleaner(store.size);
    this.#cursor = from;
  }

  /** The cursor up to which this caller has read. */
  get cursor(): Cursor {
    return this.#cursor;
  }

  /**
   * Returns the output since the last call, up to the line that is still growing. Calls run one after the other. If its
   * signal aborts before a call finishes, the call rejects with the reason and has no effect on the next one.
   */
  next({ signal, from, ...options }: NextOptions = {}): Promise<SessionReading> {
    const reading = this.#last.then(async () => {
      signal?.throwIfAborted();
      const { cursor } = this;
      if (from !== undefined && from < cursor) await this.#moveTo(from);
      const read = await this.#read(options);
      if (!signal?.aborted) return read;
      await this.#moveTo(cursor);
      throw signal.reason;
    });
    this.#last = reading.catch(() => undefined);
    return reading;
  }

  /** Skips all output up to now. Runs after earlier calls of `next`, and never moves the cursor back. */
  skip(): Promise<void> {
    const { end } = this.#store;
    const skipping = this.#last.then(() => this.#skipTo(end));
    this.#last = skipping;
    return skipping;
  }

  /**
   * Moves the cursor forward or back, as if everything before it had just been read. Runs after earlier calls, like
   * `next`.
   */
  moveTo(cursor: Cursor): Promise<void> {
    const moving = this.#last.then(() => this.#moveTo(cursor));
    this.#last = moving.catch(() => undefined);
    return moving;
  }

  /** Like `moveTo`, but never moves back. */
  advanceTo(cursor: Cursor): Promise<void> {
    const moving = this.#last.then(async () => {
      if (this.#cursor < cursor) await this.#moveTo(cursor);
    });
    this.#last = moving.catch(() => undefined);
    return moving;
  }

  /**
   * The caller knows the output from `from` to `to`: continues after it, unless there is unread output before it or the
   * reader has read further. Runs after earlier calls, like `next`.
   */
  skipOver({ from, to }: { readonly from: Cursor; readonly to: Cursor }): Promise<void> {
    const moving = this.#last.then(async () => {
      if (from <= this.#cursor && this.#cursor < to) await this.#moveTo(to);
    });
    this.#last = moving.catch(() => undefined);
    return moving;
  }

  /**
   * Call when the text from `from` on was not delivered: it is returned again, with everything after it. Runs after
   * earlier calls, like `next`.
   */
  rewind(from: Cursor): Promise<void> {
    const moving = this.#last.then(async () => {
      if (from < this.#cursor) await this.#moveTo(from);
    });
    this.#last = moving.catch(() => undefined);
    return moving;
  }

  async #moveTo(cursor: Cursor): Promise<void> {
    if (cursor === this.#cursor) return;
    this.#cleaner = new Cleaner(this.#store.size);
    this.#cursor = cursor;
    // Restores the context: a line that continues at the cursor may still redraw what is before it.
    for await (const page of pagesOf(this.#store, { from: Math.max(0, cursor - RECALL_BYTES), to: cursor })) {
      this.#cleaner.push(page.bytes);
      this.#cleaner.drain();
    }
    this.#cleaner.take();
  }

  #skipTo(end: Cursor): void {
    if (this.#cursor > end) return;
    this.#cleaner = new Cleaner(this.#store.size);
    this.#cursor = end;
  }

  async #read({ maxTokens = DEFAULT_MAX_TOKENS, to, raw, ...options }: NewTextOptions): Promise<SessionReading> {
    const digest = new Digest({ maxTokens, raw, ...options }, this.#cleaner);
    const from = this.#cursor;
    for await (const page of pagesOf(this.#store, { from, ...(to === undefined ? {} : { to }) })) {
      if (page.dropped > 0) digest.drop(page.dropped);
      // The cleaner waits for the rest of a character; raw bytes do not pass through it.
      const isLast = raw === true && page.next >= (to ?? this.#store.end) && !this.#store.hasEnded;
      const open = isLast ? incompleteTail(page.bytes, page.bytes.length) : 0;
      digest.push(page.bytes.subarray(0, page.bytes.length - open), page.from);
      this.#cursor = page.next - open;
    }
    if (this.#store.isComplete && this.#cursor >= this.#store.end) digest.end();
    await inShares(digest.finishing());
    const reading = { ...digest.result(), from, next: this.#cursor };
    return await withCutStart(this.#store, reading, digest.textBeforeCut);
  }
}
