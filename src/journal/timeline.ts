/**
 * When output came, and when the terminal changed its size: what a recording needs to know of a session that began before it.
 *
 * Times are coarse and bounded. When there are too many, every second one is forgotten, and the next ones lie further apart;
 * so a short session is known to some milliseconds, and a long one to a fraction of its length.
 */
import type { Cursor } from "../base/cursor.ts";
import { MAX_ARRIVAL_TIMES, MAX_SIZE_CHANGES } from "../base/limits.ts";
import type { TerminalSize } from "../base/terminal-size.ts";
import { indexAt } from "./origins.ts";

/** Finer than this, nobody sees a difference in a replay. */
const FIRST_GRAIN_MS = 10;

/** Output that came at about one time: `from` inclusive, `to` exclusive. */
export interface TimedSpan {
  readonly from: Cursor;
  readonly to: Cursor;
  /** Milliseconds since the session began. */
  readonly atMs: number;
}

/** From `cursor` on, the terminal had this size. */
export interface SizeChange {
  readonly cursor: Cursor;
  readonly atMs: number;
  readonly size: TerminalSize;
}

interface Arrival {
  readonly cursor: Cursor;
  readonly atMs: number;
}

/** When output arrived and when the terminal changed its size, in milliseconds since the session began. */
export class Timeline {
  readonly #startedMs: number;
  #arrivals: Arrival[] = [];
  #grainMs = FIRST_GRAIN_MS;
  #nextMs = 0;
  #sizes: SizeChange[] = [];
  #endMs: number | undefined;

  /** On the clock of `performance.now()`, like all that is noted. */
  constructor(startedMs: number) {
    this.#startedMs = startedMs;
  }

  /** Milliseconds since the session began; when it has ended, of its end. */
  get nowMs(): number {
    return this.#endMs ?? performance.now() - this.#startedMs;
  }

  /** Nothing can follow: whoever records it later is not to wait for that. */
  finish(): void {
    this.#endMs = this.nowMs;
  }

  /** All that are kept, in order; the first is the size at the beginning. */
  get sizes(): readonly SizeChange[] {
    return this.#sizes;
  }

  /** Output arrives that begins at `cursor`. */
  note(cursor: Cursor, nowMs: number): void {
    const atMs = nowMs - this.#startedMs;
    if (atMs < this.#nextMs) return;
    this.#arrivals.push({ cursor, atMs });
    if (this.#arrivals.length > MAX_ARRIVAL_TIMES) {
      this.#arrivals = this.#arrivals.filter((_, index) => index % 2 === 0);
      this.#grainMs *= 2;
    }
    this.#nextMs = atMs + this.#grainMs;
  }

  noteSize(cursor: Cursor, size: TerminalSize): void {
    this.#sizes.push({ cursor, atMs: this.nowMs, size });
    // The first one says how the session began; what is forgotten is a change that a later one has undone.
    if (this.#sizes.length > MAX_SIZE_CHANGES) this.#sizes.splice(1, 1);
  }

  sizeAt(cursor: Cursor): TerminalSize | undefined {
    return (this.#sizes.findLast((change) => change.cursor <= cursor) ?? this.#sizes[0])?.size;
  }

  /** When each part of `[from, to)` came, in order. */
  times(from: Cursor, to: Cursor): TimedSpan[] {
    const spans: TimedSpan[] = [];
    for (let index = indexAt(this.#arrivals, from), start = from; start < to; index += 1) {
      const end = Math.min(this.#arrivals[index + 1]?.cursor ?? to, to);
      if (end > start) spans.push({ from: start, to: end, atMs: this.#arrivals[index]?.atMs ?? 0 });
      start = Math.max(start, end);
    }
    return spans;
  }
}
