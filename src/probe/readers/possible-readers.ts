/**
 * Lists the processes that may read a terminal.
 *
 * Of the processes whose controlling terminal it is, only the foreground group may read it; the kernel stops the
 * others. A process without it, or with another one, may read it at any time: `su -c` and `setsid` start such programs,
 * and a pinentry is not even a descendant.
 */
import type { TerminalSize } from "../../base/terminal-size.ts";
import { terminalNumber } from "../../linux/files/open-file.ts";
import { type ProcessEntry, readChildren, readProcess } from "../../linux/processes/processes.ts";

export interface TerminalOf {
  readonly program: number;
  readonly foregroundGroup: number | undefined;
  /** The path of the program's side of the terminal. */
  readonly path: string;
  readonly size?: TerminalSize | undefined;
  /** Processes that have it open and do not descend from the program. */
  readonly strangers?: readonly number[];
}

/** A build may have hundreds of processes, and does not wait for a key. */
const MOST_PROCESSES = 32;

/** The most likely first: the leader of the foreground group, then the latest descendants. */
export function* possibleReaders({
  program,
  foregroundGroup,
  path,
  strangers = [],
}: TerminalOf): Generator<ProcessEntry, void, undefined> {
  const leader = foregroundGroup === undefined ? undefined : readProcess(foregroundGroup);
  if (leader) yield leader;
  const own = terminalNumber(path);
  let left = MOST_PROCESSES;
  for (const entry of descendants(program === foregroundGroup ? leader : readProcess(program))) {
    if (left <= 0) break;
    left -= 1;
    if (entry.pid !== foregroundGroup && (entry.group === foregroundGroup || entry.terminal !== own)) yield entry;
  }
  for (const pid of strangers) {
    const entry = readProcess(pid);
    if (entry && entry.terminal !== own) yield entry;
  }
}

/** Whether the terminal is the process's controlling one, which /dev/tty then stands for. */
export function isControlledBy({ terminal }: ProcessEntry, path: string): boolean {
  return terminal === terminalNumber(path);
}

/** All descendants of a process, without itself. */
export function* processesBelow(pid: number): Generator<ProcessEntry, void, undefined> {
  let left = MOST_PROCESSES;
  for (const entry of descendants(readProcess(pid))) {
    if (left <= 0) return;
    left -= 1;
    if (entry.pid !== pid) yield entry;
  }
}

/** Latest child first: the foreground program was most likely started last. */
function* descendants(entry: ProcessEntry | undefined): Generator<ProcessEntry, void, undefined> {
  if (!entry) return;
  yield entry;
  for (const child of readChildren(entry).reverse()) yield* descendants(readProcess(child));
}
