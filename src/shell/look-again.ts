/** How long to wait before the next look at a shell: it takes microseconds from one step to the next, unless it is busy. */
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";

const QUICK_LOOKS = 50;

/** The first ones come a turn of the loop apart, without a timer; then `pauseMs`. */
export async function untilNextLook(looks: number, pauseMs = 1): Promise<void> {
  await (looks < QUICK_LOOKS ? nextTurn() : sleep(pauseMs));
}

/** Pure: the longer it takes, the rarer the looks. */
export function nextPauseMs(looks: number, pauseMs: number, slowestMs: number): number {
  return looks < QUICK_LOOKS ? pauseMs : Math.min(2 * pauseMs, slowestMs);
}
