/** Judges what a program and its children did between two measurements. Pure. */
import type { Activity } from "../../../linux/processes/read-activity.ts";

/** A program that uses more than this share of the time works. Housekeeping of a runtime takes a few percent. */
const BUSY_PART = 0.3;
/** Less processor time proves nothing, because returning to the wait takes some itself. */
const LEAST_MS = 10;

export interface Measured {
  readonly atMs: number;
  readonly activity: Activity;
}

/** `ready`: the children when the program was last known to wait. */
export function activitySince(
  before: Measured,
  now: Measured,
  ready: ReadonlySet<number>,
): "idle" | "started" | "busy" {
  const workMs = now.activity.workMs - before.activity.workMs;
  const isBusy = workMs > LEAST_MS && workMs > BUSY_PART * (now.atMs - before.atMs);
  if (isBusy || now.activity.isRunning) return "busy";
  return now.activity.children.some((pid) => !ready.has(pid)) ? "started" : "idle";
}
