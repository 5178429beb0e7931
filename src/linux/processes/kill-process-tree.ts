/**
 * Ends all processes of a session: sends SIGHUP, then SIGTERM, then SIGKILL after the grace time, until none is left.
 * On request it sends SIGTERM first, for a program that handles SIGTERM but would die from SIGHUP.
 *
 * Each round lists the whole tree again, because it may have grown.
 */
import { constants } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { type ProcessTree, signalProcess } from "./process-tree.ts";
import type { ProcessEntry } from "./processes.ts";

type EndSignal = "SIGHUP" | "SIGTERM" | "SIGKILL";

/** The signal that a close sends first. The other one follows. */
export type FirstSignal = "SIGHUP" | "SIGTERM";

/** A process that `close` ended. */
export interface EndedProcess {
  readonly pid: number;
  /** The kernel's name for the program, at most 15 characters. */
  readonly name: string;
  /** The strongest signal that it was sent. */
  readonly signal: EndSignal;
}

/** What `close` did. Processes in `left` are not an error. */
export interface EndReport {
  /**
   * The processes that were alive when the close started, or that started during it. Empty if all had ended by
   * themselves.
   */
  readonly ended: readonly EndedProcess[];
  /**
   * `cgroup`: the kernel tracked every process. `search`: limpet searched /proc, which can miss a process. `inside`: a
   * script searched in a container of another machine, and `ended` has the pids there. `container`: the container was
   * removed with everything in it. `unknown`: such a script could not run, and processes may be left.
   */
  readonly by: "cgroup" | "search" | "inside" | "container" | "unknown";
  /** Processes that could not be ended, such as another user's. */
  readonly left: readonly { readonly pid: number; readonly name: string }[];
}

/** The part of the grace time between SIGHUP and SIGTERM: a shell ends on SIGHUP in milliseconds. */
const HANG_UP_SHARE = 0.25;
/** The part between SIGTERM and SIGHUP, in which a program that handles SIGTERM can clean up. */
const TERMINATE_SHARE = 0.5;
const LIST_EVERY_MS = 10;
/** A process in an uninterruptible read dies only when the read ends. After this time it is reported as left. */
const KILL_PATIENCE_MS = 3_000;

/**
 * `killAtMs` returns a value of `performance.now()`. It is read in each round, because a second caller may shorten it.
 */
export async function killProcessTree(
  tree: ProcessTree,
  killAtMs: () => number,
  first: FirstSignal = "SIGHUP",
): Promise<EndReport> {
  const ended = new Map<string, EndedProcess>();
  const startedMs = performance.now();
  let killedMs = Number.POSITIVE_INFINITY;
  for (;;) {
    const nowMs = performance.now();
    const stage = stageAt({ startedMs, nowMs, killAtMs: killAtMs(), first });
    const alive = await tree.list();
    // Counted from the first SIGKILL, because on a busy machine it may be sent long after killAtMs.
    if (alive.length === 0 || nowMs >= killedMs + KILL_PATIENCE_MS) return report(ended, alive, tree.isContained);
    if (stage === "SIGKILL") {
      killedMs = Math.min(killedMs, performance.now());
      tree.killContained();
    }
    for (const entry of alive) send(entry, stage, ended);
    await sleep(LIST_EVERY_MS);
  }
}

interface Moment {
  readonly startedMs: number;
  readonly nowMs: number;
  readonly killAtMs: number;
  readonly first: FirstSignal;
}

/** Pure: the signal to send at this moment. */
export function stageAt({ startedMs, nowMs, killAtMs, first }: Moment): EndSignal {
  if (nowMs >= killAtMs) return "SIGKILL";
  const isHangUp = first === "SIGHUP";
  const isEarly = nowMs < startedMs + (killAtMs - startedMs) * (isHangUp ? HANG_UP_SHARE : TERMINATE_SHARE);
  return isEarly === isHangUp ? "SIGHUP" : "SIGTERM";
}

function send(entry: ProcessEntry, stage: EndSignal, ended: Map<string, EndedProcess>): void {
  const key = `${entry.pid} ${entry.startTime}`;
  const isRepeated = ended.get(key)?.signal === stage && stage !== "SIGKILL";
  ended.set(key, { pid: entry.pid, name: entry.name, signal: stage });
  if (isRepeated) return;
  signalProcess(entry, constants.signals[stage]);
  // A stopped program handles no signal except SIGKILL until it continues.
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
