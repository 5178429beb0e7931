/**
 * When to look at who waits for input, and when to believe what was seen.
 *
 * Looks follow output and input closely and then slow down with the silence, so that a session which idles for an hour costs
 * nothing that could be measured. A flood is not looked at: nobody waits in the middle of one.
 */
import type { Cursor } from "../base/cursor.ts";
import type { InputVerdict } from "./judge-input.ts";

/** With this much output in the last moments, a look would only slow it down. */
const FLOOD_BYTES = 16 * 1024;
const FLOOD_WINDOW_MS = 5;
const AFTER_FLOOD_MS = 3;
/** Right after its output a program needs some microseconds to get back to its read: a few turns of the loop, no timer yet. */
const QUICK_LOOKS = 6;
const FIRST_MS = 1;
/** What has printed nothing and was sent nothing is still starting up: looks would only take its core from it. */
const FRESH_MS = 3;
const SILENCE_PART = 1 / 8;
const SLOWEST_MS = 10_000;
/** Looks that are far apart come at the same moment for all sessions: a hundred in a row cost a fraction of a hundred alone. */
const GRIDS_MS = [SLOWEST_MS, 1_000];
/** Output that trickles on is looked at this often, then only once it has paused. */
const LOOKS_PER_WINDOW = 12;
const LOOK_WINDOW_MS = 100;
const AFTER_TRICKLE_MS = 2;
/**
 * Programs on epoll have several threads and block between two steps of their own. What a program prints behind a relay is on its
 * way while that program already waits. The others are what they seem.
 */
const CONFIRM_MS = 6;
const UNSETTLED = [" epoll ", " relay "];

/** What a session shows at the moment of a look. Times are on the clock of `performance.now()`. */
export interface Moment {
  readonly nowMs: number;
  /** The last output or input. */
  readonly lastEventMs: number;
  readonly end: Cursor;
  /** Nothing was printed or typed yet: the last event is the start. */
  readonly isFresh: boolean;
}

/** Pure: how long what only may be waiting must stay as it is. */
export function confirmAfterMs({ evidence }: InputVerdict): number {
  return UNSETTLED.some((word) => evidence.includes(word)) ? CONFIRM_MS : 0;
}

/** Pure: `pauseMs` from now, or somewhat earlier. */
function onGrid(nowMs: number, pauseMs: number): number {
  const gridMs = GRIDS_MS.find((grid) => pauseMs >= grid);
  return gridMs === undefined ? nowMs + pauseMs : Math.floor((nowMs + pauseMs) / gridMs) * gridMs;
}

export class ProbeSchedule {
  #dueMs = 0;
  #lastEventMs = Number.NEGATIVE_INFINITY;
  #quickLooks = 0;
  #seen: { readonly fingerprint: string; readonly end: Cursor; readonly atMs: number } | undefined;
  #looks = { sinceMs: Number.NEGATIVE_INFINITY, count: 0 };
  #window = { end: 0, atMs: Number.NEGATIVE_INFINITY, isFlood: false };

  /** When the next look is due. */
  get dueMs(): number {
    return this.#dueMs;
  }

  /** Call at every wake-up, before `isDue` matters. */
  note(moment: Moment): void {
    this.#measure(moment);
    if (moment.lastEventMs <= this.#lastEventMs) return;
    this.#lastEventMs = moment.lastEventMs;
    this.#quickLooks = QUICK_LOOKS;
    this.#dueMs = Math.max(
      moment.nowMs + this.#pauseAfterEventMs(moment.nowMs),
      moment.isFresh ? moment.lastEventMs + FRESH_MS : 0,
    );
  }

  /** What a look at `moment` saw; true when it can be believed. */
  believes(verdict: InputVerdict, { nowMs, end }: Moment): boolean {
    this.#countLook(nowMs);
    if (verdict.isCertain) {
      this.#seen = undefined;
      this.#dueMs = onGrid(nowMs, this.#pauseMs(nowMs));
      return true;
    }
    const before = this.#seen;
    const isSame = before !== undefined && before.fingerprint === verdict.fingerprint && before.end === end;
    const quietMs = confirmAfterMs(verdict);
    if (isSame && nowMs - before.atMs >= quietMs) return true;
    if (!isSame) this.#seen = { fingerprint: verdict.fingerprint, end, atMs: nowMs };
    this.#dueMs = nowMs + quietMs;
    return false;
  }

  #pauseMs(nowMs: number): number {
    this.#quickLooks -= 1;
    if (this.#quickLooks > 0 && !this.#window.isFlood) return 0;
    return Math.min(SLOWEST_MS, Math.max(FIRST_MS, (nowMs - this.#lastEventMs) * SILENCE_PART));
  }

  #pauseAfterEventMs(nowMs: number): number {
    if (this.#window.isFlood) return AFTER_FLOOD_MS;
    const isTrickle = nowMs - this.#looks.sinceMs < LOOK_WINDOW_MS && this.#looks.count >= LOOKS_PER_WINDOW;
    return isTrickle ? AFTER_TRICKLE_MS : 0;
  }

  #countLook(nowMs: number): void {
    if (nowMs - this.#looks.sinceMs >= LOOK_WINDOW_MS) this.#looks = { sinceMs: nowMs, count: 0 };
    this.#looks.count += 1;
  }

  #measure({ nowMs, end }: Moment): void {
    if (nowMs - this.#window.atMs < FLOOD_WINDOW_MS) {
      if (end - this.#window.end >= FLOOD_BYTES) this.#window.isFlood = true;
      return;
    }
    const isFlood = end - this.#window.end >= FLOOD_BYTES && this.#window.atMs > 0;
    this.#window = { end, atMs: nowMs, isFlood };
  }
}
