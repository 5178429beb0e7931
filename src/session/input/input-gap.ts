/**
 * Waits between two keys until the program has read the first one, so that it does not treat both as one key.
 *
 * A program that reads two keys at once may see one unknown key, a paste, or Alt with a key. The kernel shows when a
 * program has read its input and waits for more. Some programs also measure time: text followed by Enter within 120 ms
 * is a paste (Codex; others use 30 ms), and Escape followed by a key within 50 to 100 ms is one key.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { slowness } from "../../linux/processor-load.ts";
import { type InputVerdict, judgeInputState } from "../../probe/judge-input-state.ts";
import { confirmAfterMs } from "../../probe/probe-schedule.ts";
import { watchForStarving } from "../../probe/watch-for-starving.ts";
import type { Probe } from "../../transport/probe.ts";

/**
 * What must happen before a key is sent. `read`: the program has read the input before it. `burst`: in addition, enough
 * time has passed that the program does not treat the key as a part of a paste. `escape`: the same after an Escape.
 */
export type InputGap = "read" | "burst" | "escape";

/** More than the 120 ms of Codex, counted from when it has read the text. */
const APART_MS = 200;
/**
 * A program that does not read for this long may never read, so it gets the next key anyway, unless it gets no
 * processor time. On a busy machine this takes up to `MOST_SLOWNESS` times as long.
 */
const PATIENCE_MS = 1_000;
const MOST_SLOWNESS = 4;
const FIRST_LOOK_MS = 1;
const SLOWEST_LOOK_MS = 8;

interface GapOptions {
  /** The input was discarded, or the program has ended. */
  readonly isOver: () => boolean;
  /** The pid of the session's program; null if it has none on this machine. */
  readonly pid: number | null;
}

/** False if the program did not read in time. */
export async function waitForGap(probe: Probe | undefined, gap: InputGap, options: GapOptions): Promise<boolean> {
  if (!probe) {
    await sleep(APART_MS);
    return true;
  }
  const { isOver, pid } = options;
  const startedMs = performance.now();
  let isStarving: (() => boolean) | undefined;
  let pauseMs = FIRST_LOOK_MS;
  let last = { fingerprint: "", sinceMs: startedMs };
  let readMs: number | undefined;
  while (!isOver()) {
    const mode = probe.terminalMode();
    // In line mode, one read returns at most one line.
    if (!mode || mode.isCanonical) return true;
    const verdict = judgeInputState(probe.observe());
    const nowMs = performance.now();
    if (verdict.fingerprint !== last.fingerprint) last = { fingerprint: verdict.fingerprint, sinceMs: nowMs };
    if (hasRead(verdict, probe) && nowMs - last.sinceMs >= confirmAfterMs(verdict)) readMs ??= nowMs;
    if (readMs !== undefined && nowMs - readMs >= apartMs(verdict, gap)) return true;
    if (readMs === undefined && nowMs - startedMs >= PATIENCE_MS * slowness(MOST_SLOWNESS)) {
      isStarving ??= watchForStarving({ probe, pid: probe.foreground()?.pid ?? pid });
      if (!isStarving()) return false;
    }
    await sleep(pauseMs);
    pauseMs = Math.min(pauseMs * 2, SLOWEST_LOOK_MS);
  }
  return true;
}

function hasRead({ basis, state }: InputVerdict, probe: Probe): boolean {
  return state === "unknown" ? !probe.hasUnreadInput() : basis.kind === "reader";
}

/** Pure: how long after the program has read its input the next key is sent. */
export function apartMs({ basis }: InputVerdict, gap: InputGap): number {
  if (gap === "escape") return APART_MS;
  if (basis.kind !== "reader") return basis.kind === "hidden" ? APART_MS : 0;
  // Programs that wait in read or select handle keys one by one. Programs that measure time have an event loop.
  const measuresTime = basis.call === "poll" || basis.call === "epoll";
  return gap === "burst" && measuresTime ? APART_MS : 0;
}
