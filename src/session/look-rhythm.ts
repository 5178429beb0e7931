/**
 * When to look at who waits for input, and when to believe what was seen.
 *
 * Looks follow output and input closely and then slow down with the silence, so that a session which idles for an hour costs
 * nothing that could be measured. A flood is not looked at: nobody waits in the middle of one.
 */
import type { InputVerdict } from "./input-state.ts";
import type { Cursor } from "./journal.ts";

/** With this much output in the last moments, a look would only slow it down. */
const FLOOD_BYTES = 16 * 1024;
const FLOOD_WINDOW_MS = 5;
const AFTER_FLOOD_MS = 3;
/** Right after its output a program needs some microseconds to get back to its read: a few turns of the loop, no timer yet. */
const QUICK_LOOKS = 6;
const FIRST_MS = 1;
const SILENCE_PART = 1 / 8;
const SLOWEST_MS = 5_000;
/** Programs on epoll have several threads and block between two steps of their own; the others do not. */
const EPOLL_QUIET_MS = 6;

/** What a session shows at the moment of a look. Times are on the clock of `performance.now()`. */
export interface Moment {
  readonly nowMs: number;
  /** The last output or input. */
  readonly lastEventMs: number;
  readonly end: Cursor;
}

export class LookRhythm {
  #dueMs = 0;
  #lastEventMs = Number.NEGATIVE_INFINITY;
  #quickLooks = 0;
  #seen: { readonly fingerprint: string; readonly end: Cursor; readonly atMs: number } | undefined;
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
    this.#dueMs = this.#window.isFlood ? moment.nowMs + AFTER_FLOOD_MS : moment.nowMs;
  }

  /** What a look at `moment` saw; true when it can be believed. */
  believes(verdict: InputVerdict, { nowMs, end }: Moment): boolean {
    if (verdict.isCertain) {
      this.#seen = undefined;
      this.#dueMs = nowMs + this.#pauseMs(nowMs);
      return true;
    }
    const before = this.#seen;
    const isSame = before !== undefined && before.fingerprint === verdict.fingerprint && before.end === end;
    const quietMs = verdict.evidence.includes("epoll") ? EPOLL_QUIET_MS : 0;
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

  #measure({ nowMs, end }: Moment): void {
    if (nowMs - this.#window.atMs < FLOOD_WINDOW_MS) {
      if (end - this.#window.end >= FLOOD_BYTES) this.#window.isFlood = true;
      return;
    }
    const isFlood = end - this.#window.end >= FLOOD_BYTES && this.#window.atMs > 0;
    this.#window = { end, atMs: nowMs, isFlood };
  }
}
