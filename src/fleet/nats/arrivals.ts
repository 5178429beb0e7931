/**
 * Estimates how long requests were in transit, from the send times in their headers. The clocks of two machines differ
 * by an unknown amount, so each request is compared with the fastest one of the last minutes. Pure.
 */
import { BoundedMap } from "../../base/bounded-map.ts";

/** When a request was sent, and how long its sender waits for an answer. */
export interface SentAt {
  /** Identifies the clock. Each process has its own. */
  readonly clock: string;
  /** By a monotonic clock that also counts while its machine sleeps. */
  readonly sentMs: number;
  readonly withinMs: number;
}

/** The smallest difference between our clock and that of a sender, in this window of time and in the one before. */
interface Fastest {
  readonly window: number;
  readonly now: number;
  readonly before: number;
}

/** The clocks of two machines drift by only a few milliseconds in this time. */
const WINDOW_MS = 60_000;
const MAX_CLOCKS = 1_024;

export class Arrivals {
  readonly #fastest = new BoundedMap<string, Fastest>(MAX_CLOCKS);

  /** Whether the sender no longer waits. False for the first request from a clock. */
  isLate({ clock, sentMs, withinMs }: SentAt, nowMs: number): boolean {
    const difference = nowMs - sentMs;
    const window = Math.floor(nowMs / WINDOW_MS);
    const known = fastestIn(window, this.#fastest.get(clock));
    const now = Math.min(known.now, difference);
    this.#fastest.set(clock, { window, now, before: known.before });
    return difference - Math.min(now, known.before) > withinMs;
  }
}

function fastestIn(window: number, known: Fastest | undefined): Fastest {
  const none = Number.POSITIVE_INFINITY;
  if (known?.window === window) return known;
  return { window, now: none, before: known?.window === window - 1 ? known.now : none };
}
