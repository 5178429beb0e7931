/** When output arrived: a bounded list of cursors and times. */
import type { Cursor } from "../base/cursor.ts";
import { MAX_ARRIVAL_TIMES } from "../base/limits.ts";
import { indexAt } from "./origins.ts";

/** Output that arrived at about the same time: `from` inclusive, `to` exclusive. */
export interface TimedSpan {
  readonly from: Cursor;
  readonly to: Cursor;
  /** Milliseconds since the session started. */
  readonly atMs: number;
}

interface Arrival {
  readonly cursor: Cursor;
  readonly atMs: number;
}

/** When there are too many times, every second one is dropped and later ones are recorded less often. */
export class Arrivals {
  readonly #firstGrainMs: number;
  #arrivals: Arrival[] = [];
  #grainMs: number;
  #nextMs = 0;

  /** `grainMs`: output that arrives within this time counts as one piece, with the time of its beginning. */
  constructor(grainMs: number) {
    this.#firstGrainMs = grainMs;
    this.#grainMs = grainMs;
  }

  /** Call when output that starts at `cursor` arrives. */
  note(cursor: Cursor, atMs: number): void {
    if (atMs < this.#nextMs) return;
    this.#arrivals.push({ cursor, atMs });
    if (this.#arrivals.length > MAX_ARRIVAL_TIMES) {
      this.#arrivals = this.#arrivals.filter((_, index) => index % 2 === 0);
      this.#grainMs *= 2;
    }
    this.#nextMs = atMs + this.#grainMs;
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

  /** Drops the times of output before `cursor`. Once all are dropped, later times are as precise as at first. */
  forget(cursor: Cursor): void {
    // The last of them stays: what follows may have arrived with it.
    this.#arrivals.splice(0, indexAt(this.#arrivals, cursor));
    const [last] = this.#arrivals;
    if (!last || this.#arrivals.length > 1) return;
    this.#grainMs = this.#firstGrainMs;
    this.#nextMs = last.atMs + this.#grainMs;
  }
}
