/** Finds the program of a session in a container on this machine, whose kernel shows it like any other process. */
import { setTimeout as sleep } from "node:timers/promises";
import { listProcesses, type MarkedProcess } from "../../linux/processes/processes.ts";

/** An engine starts a program in a tenth of a second, on a busy machine in many seconds. */
const PATIENCE_MS = 30_000;
const FIRST_PAUSE_MS = 10;
const MAX_PAUSE_MS = 100;

interface Search {
  readonly mark: string;
  /** Resolves when there is nothing to find any more, because the client has ended. */
  readonly over: Promise<unknown>;
  readonly patienceMs?: number;
}

/** Its pid on this machine; undefined if the client ended first, or if the kernel of the container is another one. */
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

/** Pure: the first process with the mark, which no other one with it has started. */
export function programAmong(all: readonly MarkedProcess[], mark: string): number | undefined {
  const marked = all.filter((entry) => entry.mark === mark);
  const pids = new Set(marked.map(({ pid }) => pid));
  const [first] = marked
    .filter(({ parent }) => !pids.has(parent))
    .sort((one, other) => Number(one.startTime) - Number(other.startTime));
  return first?.pid;
}
