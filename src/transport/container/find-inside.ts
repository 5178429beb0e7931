/** Finds the program of a session in a container on this machine. The kernel shows it like any other process. */
import { setTimeout as sleep } from "node:timers/promises";
import { listProcesses, type MarkedProcess } from "../../linux/processes/processes.ts";

/** An engine starts a program within a tenth of a second, but may take many seconds on a busy machine. */
const PATIENCE_MS = 30_000;
const FIRST_PAUSE_MS = 10;
const MAX_PAUSE_MS = 100;

interface Search {
  readonly mark: string;
  /** Resolves when the client has ended, so that the search can stop. */
  readonly over: Promise<unknown>;
  readonly patienceMs?: number;
}

/**
 * The pid of the program on this machine. Undefined if the client ended first, or if the container has another kernel.
 */
export async function findInside({ mark, over, patienceMs = PATIENCE_MS }: Search): Promise<number | undefined> {
  const giveUpMs = performance.now() + patienceMs;
  let isOver = false;
  void over.then(() => {
    isOver = true;
  });
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    const found = programAmong(await listProcesses(), mark);
    if (found !== undefined || isOver || performance.now() > giveUpMs) return found;
    await Promise.race([sleep(pauseMs), over]);
  }
}

/** The oldest process with the mark whose parent does not have the mark. Pure. */
export function programAmong(all: readonly MarkedProcess[], mark: string): number | undefined {
  const marked = all.filter((entry) => entry.mark === mark);
  const pids = new Set(marked.map(({ pid }) => pid));
  const [first] = marked
    .filter(({ parent }) => !pids.has(parent))
    .sort((one, other) => Number(one.startTime) - Number(other.startTime));
  return first?.pid;
}
