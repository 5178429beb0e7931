/** Searches a session's output for a pattern: what is there, then what comes, in pieces of a bounded size. */

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

/** The loop is never held up for longer than this and one piece. */
const TURN_MS = 4;
/** A page of the disk costs the reading of a whole segment, so it is a large one. */
const DISK_PAGE_BYTES = 4 * 1024 * 1024;

/** It holds a program up like any reader, so that nothing is dropped unsearched where the session asks for that. */
export class OutputSearch implements Reader {
  readonly #store: OutputStore;
  readonly #until: Until;
  #match: PatternMatch | undefined;
  #isReadingDisk = false;
  #isStopped = false;

  /** `recallFrom`: from there on up to `from` an earlier search found nothing; a match may begin there. */
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

  /** Searched up to here. */
  get cursor(): Cursor {
    return this.#until.cursor;
  }

  /** All output there is has been searched. */
  get isDone(): boolean {
    return this.#match !== undefined || (!this.#isReadingDisk && this.cursor >= this.#store.end);
  }

  /** The disk is asked for what memory no longer holds; a change is announced when it has answered. */
  get isReadingDisk(): boolean {
    return this.#isReadingDisk;
  }

  /** One turn's worth. */
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

  /** Nobody waits for this, it only announces what it found. */
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

  /** A page from disk is larger than what may be searched in one turn. */
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
