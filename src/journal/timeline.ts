/**
 * When output arrived and when the size of the terminal changed, for a recording that starts later than its session.
 *
 * Times are coarse and bounded. When there are too many, every second one is dropped and later ones are recorded less
 * often. So a short session is accurate to some milliseconds, a long one to a fraction of its length.
 */
import type { Cursor } from "../base/cursor.ts";
import { MAX_ARRIVAL_TIMES, MAX_SIZE_CHANGES } from "../base/limits.ts";
import type { TerminalSize } from "../base/terminal-size.ts";
import { indexAt } from "./origins.ts";

/** Finer differences are not visible in a replay. */
const FIRST_GRAIN_MS = 10;

/** Output that arrived at about the same time: `from` inclusive, `to` exclusive. */
export interface TimedSpan {
  readonly from: Cursor;
  readonly to: Cursor;
  /** Milliseconds since the session started. */
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

/** When output arrived and when the size of the terminal changed, in milliseconds since the session started. */
export class Timeline {
  readonly #startedMs: number;
  #arrivals: Arrival[] = [];
  #grainMs = FIRST_GRAIN_MS;
  #nextMs = 0;
  #sizes: SizeChange[] = [];
  #endMs: number | undefined;

  /** `startedMs` uses the clock of `performance.now()`, like all other times. */
  constructor(startedMs: number) {
    this.#startedMs = startedMs;
  }

  /** Milliseconds since the session started; after its end, the time of the end. */
  get nowMs(): number {
    return this.#endMs ?? performance.now() - this.#startedMs;
  }

  /** Call when no output can follow: a later recording does not continue beyond this time. */
  finish(): void {
    this.#endMs = this.nowMs;
  }

  /** All kept changes, in order. The first is the initial size. */
  get sizes(): readonly SizeChange[] {
    return this.#sizes;
  }

  /** Call when output that starts at `cursor` arrives. */
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
    // The first is the initial size. The dropped change has been replaced by a later one.
    if (this.#sizes.length > MAX_SIZE_CHANGES) this.#sizes.splice(1, 1);
  }

  sizeAt(cursor: Cursor): TerminalSize | undefined {
    return (this.#sizes.findLast((change) => change.cursor <= cursor) ?? this.#sizes[0])?.size;
  }

  /** When each part of `[from, to)` arrived, in order. */
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
