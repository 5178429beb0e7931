/**
 * When output arrived and when the size of the terminal changed, for recordings.
 *
 * The times of the whole session are coarse and bounded: a short session is accurate to some milliseconds, a long one
 * to a fraction of its length. A recording that runs gets precise times, which it drops once it has read the output.
 */
import type { Cursor } from "../base/cursor.ts";
import { MAX_SIZE_CHANGES } from "../base/limits.ts";
import type { TerminalSize } from "../base/terminal-size.ts";
import { Arrivals, type TimedSpan } from "./arrivals.ts";

/** Finer differences are not visible in a replay. */
const GRAIN_MS = 10;
/** A recording has whole milliseconds. */
const FOLLOWED_GRAIN_MS = 1;

/** From `cursor` on, the terminal had this size. */
export interface SizeChange {
  readonly cursor: Cursor;
  readonly atMs: number;
  readonly size: TerminalSize;
}

/** When output arrived and when the size of the terminal changed, in milliseconds since the session started. */
export class Timeline {
  readonly #startedMs: number;
  readonly #arrivals = new Arrivals(GRAIN_MS);
  #followers: readonly Arrivals[] = [];
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
    this.#arrivals.note(cursor, atMs);
    for (const each of this.#followers) each.note(cursor, atMs);
  }

  /**
   * The precise times of output from now on, until `unfollow`. A reader that calls `forget` for what it has read gets
   * times in milliseconds; one that falls behind gets coarser ones.
   *
   * @internal
   */
  follow(): Arrivals {
    const follower = new Arrivals(FOLLOWED_GRAIN_MS);
    this.#followers = [...this.#followers, follower];
    return follower;
  }

  /** @internal */
  unfollow(follower: Arrivals): void {
    this.#followers = this.#followers.filter((each) => each !== follower);
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
    return this.#arrivals.times(from, to);
  }
}
