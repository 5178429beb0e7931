/**
 * How long requests were on their way, from what their senders say. The clocks of two machines differ by an unknown
 * amount, so only changes count: the fastest request of the last minutes tells what a prompt one looks like. Pure.
 */
import { BoundedMap } from "../../base/bounded-map.ts";

/** When a request was sent, and for how long its sender waits. */
export interface SentAt {
  /** Whose clock: different for each process. */
  readonly clock: string;
  /** By a clock that neither jumps nor stops while its machine sleeps. */
  readonly sentMs: number;
  readonly withinMs: number;
}

/** Of one sender: the smallest difference of the clocks in this window of time, and in the one before. */
interface Fastest {
  readonly window: number;
  readonly now: number;
  readonly before: number;
}

/** Clocks of two machines drift by a few milliseconds in this time. */
const WINDOW_MS = 60_000;
const MAX_CLOCKS = 1_024;

export class Arrivals {
  readonly #fastest = new BoundedMap<string, Fastest>(MAX_CLOCKS);

  /** Whether the sender has given up waiting. False if nothing is known of its clock. */
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
