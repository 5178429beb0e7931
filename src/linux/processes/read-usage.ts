/** Reads how much memory and processor time the processes of a session use. */
import { readShortProcFile } from "../proc-file.ts";
import type { ProcessTree } from "./process-tree.ts";

const PAGE_BYTES = 4096;
/** USER_HZ. */
const TICK_MS = 10;

export interface TreeUsage {
  readonly processes: number;
  /** The private memory of the processes, without shared pages. */
  readonly memoryBytes: number;
  /**
   * Processor time of all processes so far. Without a control group, only of running processes and of children that
   * they waited for.
   */
  readonly cpuMs: number;
}

export async function readUsage(tree: ProcessTree): Promise<TreeUsage> {
  const alive = await tree.list();
  const each = alive.map(({ pid }) => readProcessUsage(pid));
  const memoryBytes = each.reduce((sum, { memoryBytes: own }) => sum + own, 0);
  const cpuMs = tree.group?.cpuMs() ?? each.reduce((sum, { cpuMs: own }) => sum + own, 0);
  return { processes: alive.length, memoryBytes, cpuMs };
}

/** What one process uses; all zero if it has ended. */
export function readProcessUsage(pid: number): Omit<TreeUsage, "processes"> {
  return {
    memoryBytes: ownMemory(readShortProcFile(`/proc/${pid}/statm`)),
    cpuMs: cpuOf(readShortProcFile(`/proc/${pid}/stat`)),
  };
}

/** Pure: resident pages without shared ones, from `/proc/PID/statm`. */
export function ownMemory(statm: string | undefined): number {
  const [, resident = 0, shared = 0] = (statm ?? "").split(" ").map(Number);
  return Math.max(0, resident - shared) * PAGE_BYTES;
}

/** Pure: user and system time, own and of children it waited for, from `/proc/PID/stat`. */
export function cpuOf(stat: string | undefined): number {
  // The name may contain spaces; the state follows it. Fields 14 to 17 are counted from the pid.
  const fields = (stat ?? "").slice((stat ?? "").lastIndexOf(")") + 2).split(" ");
  return fields.slice(11, 15).reduce((sum, ticks) => sum + (Number(ticks) || 0), 0) * TICK_MS;
}
