/** Searches a session's output for a pattern: what is there, then what comes, in pieces of a bounded size. */
import { READ_BYTES } from "../base/limits.ts";
import type { PatternMatch } from "../output/pattern.ts";
import type { Cursor } from "./journal.ts";
import type { KeptOutput } from "./kept-output.ts";
import { Until } from "./until.ts";

/** How long a turn of the loop may be held; a chunk of output that is made to be slow takes some 50 ms. */
const TURN_MS = 5;

export class OutputSearch {
  readonly #kept: KeptOutput;
  readonly #until: Until;
  #match: PatternMatch | undefined;
  #isReadingDisk = false;
  #isStopped = false;

  constructor(kept: KeptOutput, pattern: string | RegExp, from: Cursor) {
    this.#kept = kept;
    this.#until = new Until(pattern, Math.min(from, kept.end), kept.size);
    if (kept.isOnDiskOnly(this.#until.cursor)) void this.#searchDisk();
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
    return this.#match !== undefined || (!this.#isReadingDisk && this.cursor >= this.#kept.end);
  }

  /** The disk is asked for what memory no longer holds; a change is announced when it has answered. */
  get isReadingDisk(): boolean {
    return this.#isReadingDisk;
  }

  /** One turn's worth. */
  advance(): void {
    const stopAtMs = performance.now() + TURN_MS;
    while (!this.isDone && !this.#isReadingDisk && performance.now() < stopAtMs) {
      const page = this.#kept.readMemory({ from: this.cursor });
      this.#until.skip(page.dropped);
      this.#match = this.#until.search(page.bytes);
    }
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** The disk may hang: nobody waits for this, it only announces what it found. */
  async #searchDisk(): Promise<void> {
    this.#isReadingDisk = true;
    while (!this.#isStopped && !this.#match && this.#kept.isOnDiskOnly(this.cursor)) {
      const page = await this.#kept.read({ from: this.cursor, maxBytes: READ_BYTES });
      this.#until.skip(page.dropped);
      this.#match = this.#until.search(page.bytes);
    }
    this.#isReadingDisk = false;
    this.#kept.changes.announce();
  }
}
