/**
 * One caller's place in one session: gives what is new, as text to read.
 *
 * Only what is new is cleaned, with what came before in mind: a line that was given and has only grown since is continued, one
 * that was drawn anew is given anew.
 */
import type { Cursor } from "../../base/cursor.ts";
import { pagesOf } from "../../journal/output-pages.ts";
import type { OutputStore } from "../../journal/output-store.ts";
import { Digest } from "../../text/budget/digest.ts";
import { Cleaner } from "../../text/clean/cleaner.ts";
import { incompleteTail } from "../../text/clean/incomplete-tail.ts";
import { DEFAULT_MAX_TOKENS, type SessionReading, type TextOptions } from "./read-digest.ts";

/** Options of `OutputReader.next`. */
export type NewTextOptions = Omit<TextOptions, "from" | "origin">;

/** Before a place to go on from: more than a screen full of text and colours. */
const RECALL_BYTES = 64 * 1024;

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

  /** Up to here this caller has read. */
  get cursor(): Cursor {
    return this.#cursor;
  }

  /**
   * What came since the last call, up to the line that is still growing. Calls are served one after the other. One whose signal is
   * aborted by then rejects with the reason and counts as never made, before the next one reads.
   */
  next({
    signal,
    ...options
  }: NewTextOptions & { readonly signal?: AbortSignal | undefined } = {}): Promise<SessionReading> {
    const reading = this.#last.then(async () => {
      signal?.throwIfAborted();
      const { cursor } = this;
      const read = await this.#read(options);
      if (!signal?.aborted) return read;
      await this.#moveTo(cursor);
      throw signal.reason;
    });
    this.#last = reading.catch(() => undefined);
    return reading;
  }

  /** What came before now is not wanted. Waits for its turn among the calls of `next`, and takes nothing back of what they read. */
  skip(): Promise<void> {
    const { end } = this.#store;
    const skipping = this.#last.then(() => this.#skipTo(end));
    this.#last = skipping;
    return skipping;
  }

  /** Goes on from another place, ahead or back, as if it had just read up to there. Waits for its turn, like `next`. */
  moveTo(cursor: Cursor): Promise<void> {
    const moving = this.#last.then(() => this.#moveTo(cursor));
    this.#last = moving.catch(() => undefined);
    return moving;
  }

  /** Like `moveTo`, unless it has read further by then. */
  advanceTo(cursor: Cursor): Promise<void> {
    const moving = this.#last.then(async () => {
      if (this.#cursor < cursor) await this.#moveTo(cursor);
    });
    this.#last = moving.catch(() => undefined);
    return moving;
  }

  /** What lies from `from` to `to` is known. Goes on behind it, unless it has something to read before it, or has read further. */
  skipOver({ from, to }: { readonly from: Cursor; readonly to: Cursor }): Promise<void> {
    const moving = this.#last.then(async () => {
      if (from <= this.#cursor && this.#cursor < to) await this.#moveTo(to);
    });
    this.#last = moving.catch(() => undefined);
    return moving;
  }

  /** What was read from `from` on never arrived: it is given again, and what was read since with it. Waits for its turn, like `next`. */
  giveBack(from: Cursor): Promise<void> {
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
    // What a line that goes on from there can still redraw.
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

  async #read({ maxTokens = DEFAULT_MAX_TOKENS, raw, fold, tokenizer, to }: NewTextOptions): Promise<SessionReading> {
    const digest = new Digest({ maxTokens, raw, fold, tokenizer }, this.#cleaner);
    const from = this.#cursor;
    for await (const page of pagesOf(this.#store, { from, ...(to === undefined ? {} : { to }) })) {
      if (page.dropped > 0) digest.drop(page.dropped);
      // The cleaner itself waits for the rest of a character; bytes as they came have nobody who does.
      const isLast = raw === true && page.next >= (to ?? this.#store.end) && !this.#store.hasEnded;
      const open = isLast ? incompleteTail(page.bytes, page.bytes.length) : 0;
      digest.push(page.bytes.subarray(0, page.bytes.length - open), page.from);
      this.#cursor = page.next - open;
    }
    return { ...digest.result(), from, next: this.#cursor };
  }
}
