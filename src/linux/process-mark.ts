/** Which processes of a session were there at a moment: to end later what has come since, and nothing else. */
import { familyOf } from "./family-of.ts";
import { readShortProcFile } from "./proc-file.ts";
import { type ProcessEntry, readChildren, readProcess } from "./processes.ts";

export interface ProcessMark {
  /** Children of the program at that moment. Whoever descends from them was not started since, whenever it was. */
  readonly children: readonly number[];
  /** Clock ticks since boot. */
  readonly ticks: number;
}

/** As the kernel reports all times to programs, on every machine that Linux runs on. */
const TICKS_PER_SECOND = 100;

/** Costs some 20 µs. */
export function markProcesses(program: number): ProcessMark {
  const entry = readProcess(program);
  const uptime = Number(readShortProcFile("/proc/uptime")?.split(" ", 1)[0] ?? 0);
  return { children: entry ? readChildren(entry) : [], ticks: Math.floor(uptime * TICKS_PER_SECOND) };
}

/** Pure: who of `alive` has come since, the program not counted. */
export function startedSince(mark: ProcessMark, program: number, alive: readonly ProcessEntry[]): ProcessEntry[] {
  const spared = familyOf(mark.children, alive);
  const isNew = ({ pid, startTime }: ProcessEntry) => !spared.has(pid) && Number(startTime) >= mark.ticks;
  return alive.filter((entry) => entry.pid !== program && isNew(entry));
}
