/** Remembers which processes a session had at one moment, so that only processes started later are ended. */

import { readShortProcFile } from "../proc-file.ts";
import { familyOf } from "./family-of.ts";
import { type ProcessEntry, readChildren, readProcess } from "./processes.ts";

export interface ProcessMark {
  /** Children of the program at that moment. Their descendants never count as started since, whenever they started. */
  readonly children: readonly number[];
  /** As in `ProcessEntry`. */
  readonly childFaults: number;
  /** Clock ticks since boot. */
  readonly ticks: number;
}

/** USER_HZ: the unit in which Linux reports times to programs, the same on every platform. */
const TICKS_PER_SECOND = 100;

/** Costs about 20 µs. */
export function markProcesses(program: number): ProcessMark {
  const entry = readProcess(program);
  const uptime = Number(readShortProcFile("/proc/uptime")?.split(" ", 1)[0] ?? 0);
  return {
    children: entry ? readChildren(entry) : [],
    childFaults: entry?.childFaults ?? 0,
    ticks: Math.floor(uptime * TICKS_PER_SECOND),
  };
}

/** Pure: the processes of `alive` that started after the mark, without the program itself. */
export function startedSince(mark: ProcessMark, program: number, alive: readonly ProcessEntry[]): ProcessEntry[] {
  const spared = familyOf(mark.children, alive);
  const isNew = ({ pid, startTime }: ProcessEntry) => !spared.has(pid) && Number(startTime) >= mark.ticks;
  return alive.filter((entry) => entry.pid !== program && isNew(entry));
}
