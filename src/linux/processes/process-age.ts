import { readShortProcFile } from "../proc-file.ts";
import type { ProcessEntry } from "./processes.ts";

/** USER_HZ: the unit of start times in /proc, the same on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** How long a process has run, in milliseconds; null if /proc does not show it. */
export function processAgeMs({ startTime }: Pick<ProcessEntry, "startTime">): number | null {
  const uptime = Number.parseFloat(readShortProcFile("/proc/uptime") ?? "");
  const ageMs = 1000 * (uptime - Number(startTime) / TICKS_PER_SECOND);
  return Number.isFinite(ageMs) ? Math.max(0, Math.round(ageMs)) : null;
}
