/** How long the turns of the event loop are while some work is done. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { threadCpuMs } from "../measure/thread-cpu-ms.ts";

/**
 * The longest turn, in milliseconds of processor time, so that other processes do not count. Other work of this
 * process, such as compiling, happens once, so the result is the shortest of a few attempts.
 */
export async function longestTurnMs(
  work: () => Promise<unknown>,
  attempts: number,
  goodEnoughMs: number,
): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < attempts && least > goodEnoughMs; attempt++)
    least = Math.min(least, await longestOf(work));
  return least;
}

async function longestOf(work: () => Promise<unknown>): Promise<number> {
  let longestMs = 0;
  let isDone = false;
  const done = work().finally(() => {
    isDone = true;
  });
  while (!isDone) {
    const before = threadCpuMs();
    await nextTurn();
    longestMs = Math.max(longestMs, threadCpuMs() - before);
  }
  await done;
  return longestMs;
}
