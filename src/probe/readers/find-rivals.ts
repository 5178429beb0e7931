/** Finds the processes that can read a terminal besides its foreground program. */
import { terminalNumber } from "../../linux/files/open-file.ts";
import { readProcess } from "../../linux/processes/processes.ts";
import { isReading } from "./find-reader.ts";

/** A process that can read a terminal at any time. */
export interface Rival {
  readonly pid: number;
  readonly name: string;
  /** It waits for input now. */
  readonly isReading: boolean;
}

/**
 * The running processes of `pids` whose controlling terminal is another one or none: the kernel lets them read at any
 * time.
 */
export function findRivals(pids: readonly number[], path: string): readonly Rival[] {
  const own = terminalNumber(path);
  return pids.flatMap((pid) => {
    const entry = readProcess(pid);
    if (!entry || entry.terminal === own) return [];
    return [{ pid, name: entry.name, isReading: isReading(entry, path) }];
  });
}
