/**
 * Finds processes that hold a terminal open but do not descend from its program: daemons that may print there at any
 * time.
 */
import { readdirSync } from "node:fs";
import { isTerminalFile } from "../linux/files/open-file.ts";
import { familyOf } from "../linux/processes/family-of.ts";
import type { ProcessEntry } from "../linux/processes/processes.ts";

/** Pure: the processes of `alive` that do not descend from the program. */
export function detachedFrom(program: number, alive: readonly ProcessEntry[]): ProcessEntry[] {
  const family = familyOf([program], alive);
  return alive.filter(({ pid }) => !family.has(pid));
}

export function holdsTerminal(pid: number, path: string): boolean {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).some((fd) => isTerminalFile(`${folder}/${fd}`, path));
  } catch {
    return false;
  }
}
