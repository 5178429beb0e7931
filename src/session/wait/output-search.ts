/** Searches a session's output for a pattern: first what is there, then what arrives, in bounded pieces. */

import { setImmediate as nextTurn } from "node:timers/promises";
import type { Cursor, Page } from "../../base/cursor.ts";
import type { Reader } from "../../journal/flow.ts";
import type { OutputStore } from "../../journal/output-store.ts";
import type { PatternMatch } from "../../text/search/pattern.ts";
import { CARRY, Until } from "./until.ts";

interface SearchRange {
  readonly from: Cursor;
  readonly recallFrom?: Cursor | undefined;
}

/** The search never blocks the event loop for longer than this plus one piece. */
const TURN_MS = 4;
/** Large, because each page from disk costs reading a whole segment. */
const DISK_PAGE_BYTES = 4 * 1024 * 1024;

/** Counts as a reader, so that with `onFlood: "block"` no output is dropped before it was searched. */
export class OutputSearch implements Reader {
  readonly #store: OutputStore;
  readonly #until: Until;
  #match: PatternMatch | undefined;
  #isReadingDisk = false;
  #isStopped = false;

  /** `recallFrom`: an earlier search found nothing from there up to `from`; a match may begin in that part. */
  constructor(store: OutputStore, pattern: string | RegExp, { from, recallFrom = from }: SearchRange) {
    this.#store = store;
    const start = Math.min(from, store.end);
    this.#until = new Until(pattern, start, store.size);
    store.join(this);
    if (recallFrom < start) this.#recall(Math.max(recallFrom, start - CARRY), start);
  }

  get match(): PatternMatch | undefined {
    return this.#match;
  }

  /** The cursor up to which output has been searched. */
  get cursor(): Cursor {
    return this.#until.cursor;
  }

  /** All available output has been searched. */
  get isDone(): boolean {
    return this.#match !== undefined || (!this.#isReadingDisk && this.cursor >= this.#store.readableEnd);
  }

  /** A read of dropped output from disk is pending. A change is announced when it completes. */
  get isReadingDisk(): boolean {
    return this.#isReadingDisk;
  }

  /** Searches for one turn of the event loop. */
  advance(): void {
    const stopMs = performance.now() + TURN_MS;
    while (!this.isDone && !this.#isReadingDisk && performance.now() < stopMs) {
      if (this.#isDiskNeeded) void this.#searchDisk();
      else this.#search(this.#store.readMemory({ from: this.cursor, maxBytes: this.#until.pieceBytes }));
    }
    this.#store.noteRead();
  }

  stop(): void {
    this.#isStopped = true;
    this.#store.leave(this);
  }

  /** Runs in the background and announces what it found. */
  async #searchDisk(): Promise<void> {
    this.#isReadingDisk = true;
    while (this.#isDiskNeeded) {
      await this.#searchPieces(await this.#store.read({ from: this.cursor, maxBytes: DISK_PAGE_BYTES }));
    }
    this.#isReadingDisk = false;
    this.#store.changes.announce();
  }

  get #isDiskNeeded(): boolean {
    const isOver = this.#isStopped || this.#match !== undefined;
    return !isOver && this.#store.isOnDiskOnly(this.cursor);
  }

  /** Searches in pieces, because a page from disk is larger than what fits in one turn. */
  async #searchPieces({ bytes, dropped }: Page): Promise<void> {
    this.#until.skip(dropped);
    for (let at = 0; at < bytes.length && !this.#match && !this.#isStopped; await nextTurn()) {
      const stopMs = performance.now() + TURN_MS;
      while (at < bytes.length && !this.#match && performance.now() < stopMs) {
        const piece = bytes.subarray(at, at + this.#until.pieceBytes);
        this.#match = this.#until.search(piece);
        at += piece.length;
      }
    }
  }

  #search({ bytes, dropped }: Page): void {
    this.#until.skip(dropped);
    this.#match = this.#until.search(bytes);
  }

  #recall(from: Cursor, to: Cursor): void {
    const { bytes, dropped } = this.#store.readMemory({ from, maxBytes: to - from });
    if (dropped === 0 && bytes.length === to - from) this.#until.recall(bytes);
  }
}
