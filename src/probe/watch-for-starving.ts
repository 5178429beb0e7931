/** Detects a program that cannot answer because it is ready to run but gets no processor time. */
import type { Activity } from "../linux/processes/read-activity.ts";

/** After this much time on a processor a program could have answered. */
const ENOUGH_MS = 100;
const STARVED_MS = 15_000;

interface StarvingOptions {
  readonly probe: { activityOf(pid: number): Pick<Activity, "isRunning" | "workMs"> };
  /** Null if the program is not known. It then never counts as starving. */
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
