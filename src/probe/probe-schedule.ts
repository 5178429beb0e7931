/**
 * Decides when to observe who waits for input, and when to trust the observation.
 *
 * Observations follow output and input closely and become rarer as the silence grows, so that a session that idles for
 * an hour has no measurable cost. During a flood of output nothing is observed, because no program waits for input in
 * the middle of one.
 */
import type { Cursor } from "../base/cursor.ts";
import { slowness } from "../linux/processor-load.ts";
import type { InputVerdict } from "./judge-input-state.ts";

/** With this much output in the window, an observation would only slow the program down. */
const FLOOD_BYTES = 16 * 1024;
const FLOOD_WINDOW_MS = 5;
const AFTER_FLOOD_MS = 3;
/**
 * After printing, a program needs some microseconds to return to its read: retry in the next few event loop turns,
 * without a timer.
 */
const QUICK_PROBES = 6;
const FIRST_MS = 1;
/**
 * A program that has printed and received nothing is still starting; observations would only take processor time from
 * it.
 */
const FRESH_MS = 3;
const SILENCE_PART = 1 / 8;
const SLOWEST_MS = 10_000;
/**
 * Rare observations happen at the same moment for all sessions: a hundred in a row cost a fraction of a hundred
 * separate ones.
 */
const GRIDS_MS = [SLOWEST_MS, 1_000];
/** While output trickles, at most this many observations fit into a window. After that, output has to pause first. */
const PROBES_PER_WINDOW = 12;
const PROBE_WINDOW_MS = 100;
const AFTER_TRICKLE_MS = 2;
/**
 * How long an uncertain verdict must stay unchanged if the program uses epoll: such programs have several threads, and
 * block between two of their own steps.
 */
const CONFIRM_EPOLL_MS = 6;
/**
 * The same behind a relay. While the program already waits and the relay sleeps, a thread of the kernel may still have
 * output to move from one to the other.
 */
const CONFIRM_RELAYED_MS = 10;
/** The same while no prompt is at the caret: then a prompt is probably on its way. */
const CONFIRM_UNPROMPTED_MS = 100;
/** These times grow with the load of the machine, at most by this factor. */
const MOST_SLOWNESS = 10;

/** The state of a session at an observation. Times use the clock of `performance.now()`. */
export interface Moment {
  readonly nowMs: number;
  /** The time of the last output or input. */
  readonly lastEventMs: number;
  readonly end: Cursor;
  /** Nothing was printed or typed yet, so the last event is the start. */
  readonly isFresh: boolean;
}

/**
 * limpet searches for a reader that is not a descendant after this much silence, then after three times as much, and so
 * on.
 */
const FIRST_SEARCH_MS = 60;
const SEARCHES = 5;

interface ConfirmFacts {
  /** Whether a prompt is at the caret. Default: true. */
  readonly isPrompted?: boolean;
  /** By how much the machine is overloaded. Default: by its load. */
  readonly overload?: number;
}

/** How long an uncertain verdict must stay unchanged. Most verdicts need no delay. */
export function confirmAfterMs(
  { basis }: InputVerdict,
  { isPrompted = true, overload = slowness(MOST_SLOWNESS) }: ConfirmFacts = {},
): number {
  if (basis.kind !== "reader") return 0;
  if (basis.isRelayed) return (isPrompted ? CONFIRM_RELAYED_MS : CONFIRM_UNPROMPTED_MS) * overload;
  return basis.call === "epoll" ? CONFIRM_EPOLL_MS * overload : 0;
}

/** Pure: `pauseMs` from now, or slightly earlier, on a shared grid. */
function onGrid(nowMs: number, pauseMs: number): number {
  const gridMs = GRIDS_MS.find((grid) => pauseMs >= grid);
  return gridMs === undefined ? nowMs + pauseMs : Math.floor((nowMs + pauseMs) / gridMs) * gridMs;
}

export class ProbeSchedule {
  #dueMs = 0;
  #lastEventMs = Number.NEGATIVE_INFINITY;
  #quickProbes = 0;
  #seen: { readonly fingerprint: string; readonly end: Cursor; readonly atMs: number } | undefined;
  #searches = 0;
  #probes = { sinceMs: Number.NEGATIVE_INFINITY, count: 0 };
  #window = { end: 0, atMs: Number.NEGATIVE_INFINITY, isFlood: false };

  /** When the next observation is due. */
  get dueMs(): number {
    return this.#dueMs;
  }

  /** Call at every wake-up, before reading `dueMs`. */
  note(moment: Moment): void {
    this.#measure(moment);
    if (moment.lastEventMs <= this.#lastEventMs) return;
    this.#lastEventMs = moment.lastEventMs;
    this.#quickProbes = QUICK_PROBES;
    this.#searches = 0;
    this.#dueMs = Math.max(
      moment.nowMs + this.#pauseAfterEventMs(moment.nowMs),
      moment.isFresh ? moment.lastEventMs + FRESH_MS : 0,
    );
  }

  /**
   * Whether the verdict of an observation at `moment` can be believed. `quietMs`: how long the program must have been
   * silent, if the kernel's data is not enough. Infinity if silence proves nothing. `confirmMs`: how long an uncertain
   * verdict must stay unchanged.
   */
  believes(
    verdict: InputVerdict,
    moment: Moment,
    {
      quietMs = 0,
      confirmMs = confirmAfterMs(verdict),
    }: { readonly quietMs?: number; readonly confirmMs?: number } = {},
  ): boolean {
    const { nowMs, end } = moment;
    this.#countProbe(nowMs);
    if (verdict.certainty === "once" || quietMs > 0) {
      this.#seen = undefined;
      const silentMs = nowMs - moment.lastEventMs;
      const isBelieved = verdict.certainty === "once" || silentMs >= quietMs;
      const pauseMs = Math.min(this.#pauseMs(nowMs), isBelieved ? Number.POSITIVE_INFINITY : quietMs - silentMs);
      this.#dueMs = onGrid(nowMs, pauseMs);
      return isBelieved;
    }
    const before = this.#seen;
    const isSame = before !== undefined && before.fingerprint === verdict.fingerprint && before.end === end;
    if (isSame && nowMs - before.atMs >= confirmMs) return true;
    if (!isSame) this.#seen = { fingerprint: verdict.fingerprint, end, atMs: nowMs };
    this.#dueMs = nowMs + confirmMs;
    return false;
  }

  /**
   * Whether to search the machine for other readers of the terminal. Rarely true, because a search reads every process.
   */
  takeSearch({ nowMs, lastEventMs }: Moment): boolean {
    const isDue = this.#searches < SEARCHES && nowMs - lastEventMs >= FIRST_SEARCH_MS * 3 ** this.#searches;
    if (isDue) this.#searches += 1;
    return isDue;
  }

  /** Call if a trusted verdict does not end the wait. The next observation follows later. */
  dismiss({ nowMs }: Pick<Moment, "nowMs">): void {
    this.#seen = undefined;
    this.#dueMs = onGrid(nowMs, Math.max(FIRST_MS, this.#pauseMs(nowMs)));
  }

  #pauseMs(nowMs: number): number {
    this.#quickProbes -= 1;
    if (this.#quickProbes > 0 && !this.#window.isFlood) return 0;
    return Math.min(SLOWEST_MS, Math.max(FIRST_MS, (nowMs - this.#lastEventMs) * SILENCE_PART));
  }

  #pauseAfterEventMs(nowMs: number): number {
    if (this.#window.isFlood) return AFTER_FLOOD_MS;
    const isTrickle = nowMs - this.#probes.sinceMs < PROBE_WINDOW_MS && this.#probes.count >= PROBES_PER_WINDOW;
    return isTrickle ? AFTER_TRICKLE_MS : 0;
  }

  #countProbe(nowMs: number): void {
    if (nowMs - this.#probes.sinceMs >= PROBE_WINDOW_MS) this.#probes = { sinceMs: nowMs, count: 0 };
    this.#probes.count += 1;
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
