/** Detects whether processes have run in between: the kernel counts how often each thread has been put to sleep. */
import { readdirSync } from "node:fs";
import { readShortProcFile } from "../proc-file.ts";

/** Equal to a later result if no thread of these processes has run in between. Undefined if one runs now. */
export function runCounts(pids: readonly number[]): string | undefined {
  const counts = [...pids].sort((one, other) => one - other).map(countsOf);
  return counts.includes(undefined) ? undefined : counts.join(";");
}

function countsOf(pid: number): string | undefined {
  const counts = threadsOf(pid).map((thread) => {
    const status = readShortProcFile(`/proc/${pid}/task/${thread}/status`) ?? "";
    const [, state = "gone"] = /^State:\s+(\w)/m.exec(status) ?? [];
    const switches = [...status.matchAll(/ctxt_switches:\s+(\d+)/g)].map(([, count]) => count);
    return state === "R" ? undefined : `${thread}${state}${switches.join("+")}`;
  });
  return counts.includes(undefined) ? undefined : `${pid}:${counts.join()}`;
}

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}
