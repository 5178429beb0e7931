/** Distinguishes a program that does not answer from one that cannot: it is ready to run, but gets no processor. */
import type { Activity } from "../linux/processes/read-activity.ts";

/** After this much time on a processor a program could have answered. */
const ENOUGH_MS = 100;
const STARVED_MS = 15_000;

interface StarvingOptions {
  readonly probe: { activityOf(pid: number): Pick<Activity, "isRunning" | "workMs"> };
  /** Null: nothing is known about the program, so it is never called starving. */
  readonly pid: number | null;
  readonly now?: () => number;
}

/** Returns a function that says whether the program has been ready to run, and has hardly run, since this call. */
export function watchForStarving({ probe, pid, now = () => performance.now() }: StarvingOptions): () => boolean {
  if (pid === null) return () => false;
  const giveUpMs = now() + STARVED_MS;
  const before = probe.activityOf(pid).workMs;
  return () => {
    const { isRunning, workMs } = probe.activityOf(pid);
    return isRunning && workMs - before < ENOUGH_MS && now() < giveUpMs;
  };
}
