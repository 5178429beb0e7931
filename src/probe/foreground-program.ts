/** Finds the foreground program of a terminal if it is not the session's own program, such as vim in a shell. */
import { type ProcessEntry, readChildren, readProcess } from "../linux/processes/processes.ts";

/** More than the programs of a pipeline. */
const MOST_PROCESSES = 32;

/**
 * The leader of the foreground group, or another process of the group if the leader has ended: the first program of a
 * pipeline may end first. Undefined if the program itself is in the foreground.
 */
export function foregroundProgram(program: number, group: number | undefined): ProcessEntry | undefined {
  if (group === undefined || group === program) return undefined;
  const leader = readProcess(group);
  return leader && isAlive(leader) ? leader : memberBelow(program, group);
}

function memberBelow(program: number, group: number): ProcessEntry | undefined {
  const entry = readProcess(program);
  const left = entry ? readChildren(entry) : [];
  for (let looked = 0; looked < MOST_PROCESSES; looked += 1) {
    const pid = left.shift();
    const found = pid === undefined ? undefined : readProcess(pid);
    if (pid === undefined) return undefined;
    if (found?.group === group && isAlive(found)) return found;
    if (found) left.push(...readChildren(found));
  }
  return undefined;
}

function isAlive({ state }: ProcessEntry): boolean {
  return state !== "Z";
}
