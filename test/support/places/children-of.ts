/** The processes that a process has started and that still run. */
import { readdirSync, readFileSync } from "node:fs";

export function childrenOf(pid: number): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((each) => parentOf(each) === pid);
}

function parentOf(pid: number): number | undefined {
  try {
    const [, parent] = /^\S (\d+) /.exec(readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /s, "")) ?? [];
    return Number(parent);
  } catch {
    return undefined;
  }
}
