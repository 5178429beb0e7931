/**
 * Ends every process that a session started: SIGHUP, then SIGTERM, then SIGKILL after the grace period, until none is
 * left.
 *
 * Each round lists the tree again, because it may have grown since the last one.
 */
import { constants } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { type ProcessTree, signalProcess } from "./process-tree.ts";
import type { ProcessEntry } from "./processes.ts";

type EndSignal = "SIGHUP" | "SIGTERM" | "SIGKILL";

/** One process that a close ended. */
export interface EndedProcess {
  readonly pid: number;
  /** The kernel's name for the program, at most 15 characters. */
  readonly name: string;
  /** The strongest signal that was sent to it before it ended. */
  readonly signal: EndSignal;
}

/** The outcome of a close. Leftover processes are reported in `left`, not thrown. */
export interface EndReport {
  /**
   * Every process that was alive when the close started or appeared during it. Empty if all had ended by themselves.
   */
  readonly ended: readonly EndedProcess[];
  /**
   * `cgroup`: the kernel tracked the processes, so none is missed. `search`: found by scanning /proc, which can miss
   * some.
   */
  readonly by: "cgroup" | "search";
  /** Processes that could not be ended, for example those of another user. */
  readonly left: readonly { readonly pid: number; readonly name: string }[];
}

/** The share of the grace period between SIGHUP and SIGTERM. */
const HANG_UP_SHARE = 0.25;
const CHECK_EVERY_MS = 10;
/** A process in an uninterruptible read dies only when that read ends. After this long it is reported as left. */
const KILL_PATIENCE_MS = 3_000;

/**
 * `killAtMs` uses the clock of `performance.now()`. It is called in every round, because a second caller may shorten
 * the grace period.
 */
export async function endTree(tree: ProcessTree, killAtMs: () => number): Promise<EndReport> {
  const ended = new Map<string, EndedProcess>();
  const startedMs = performance.now();
  for (;;) {
    const nowMs = performance.now();
    const stage = stageAt({ startedMs, nowMs, killAtMs: killAtMs() });
    const alive = await tree.list();
    if (alive.length === 0 || nowMs >= killAtMs() + KILL_PATIENCE_MS) return report(ended, alive, tree.isContained);
    if (stage === "SIGKILL") tree.killContained();
    for (const entry of alive) send(entry, stage, ended);
    await sleep(CHECK_EVERY_MS);
  }
}

interface Moment {
  readonly startedMs: number;
  readonly nowMs: number;
  readonly killAtMs: number;
}

/** Pure: the signal to send at this moment. */
export function stageAt({ startedMs, nowMs, killAtMs }: Moment): EndSignal {
  if (nowMs >= killAtMs) return "SIGKILL";
  return nowMs < startedMs + (killAtMs - startedMs) * HANG_UP_SHARE ? "SIGHUP" : "SIGTERM";
}

function send(entry: ProcessEntry, stage: EndSignal, ended: Map<string, EndedProcess>): void {
  const key = `${entry.pid} ${entry.startTime}`;
  const isRepeated = ended.get(key)?.signal === stage && stage !== "SIGKILL";
  ended.set(key, { pid: entry.pid, name: entry.name, signal: stage });
  if (isRepeated) return;
  signalProcess(entry, constants.signals[stage]);
  // A stopped program handles no signal except KILL until it continues.
  if (stage !== "SIGKILL") signalProcess(entry, constants.signals.SIGCONT);
}

function report(
  ended: ReadonlyMap<string, EndedProcess>,
  alive: readonly ProcessEntry[],
  isContained: boolean,
): EndReport {
  const left = alive.map(({ pid, name }) => ({ pid, name }));
  const isLeft = new Set(left.map(({ pid }) => pid));
  return {
    ended: [...ended.values()].filter(({ pid }) => !isLeft.has(pid)),
    by: isContained ? "cgroup" : "search",
    left,
  };
}
