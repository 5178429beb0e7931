/**
 * Ends all that a session started: hang-up, then TERM, then KILL when the grace is over, until nothing is left.
 *
 * Each round looks at the whole tree anew, because it may have grown in between.
 */
import { constants } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { type ProcessTree, signalProcess } from "./process-tree.ts";
import type { ProcessEntry } from "./processes.ts";

type EndSignal = "SIGHUP" | "SIGTERM" | "SIGKILL";

/** One process that a close has ended. */
export interface EndedProcess {
  readonly pid: number;
  /** What the kernel calls the program: at most 15 characters. */
  readonly name: string;
  /** The strongest signal it was sent before it was gone. */
  readonly signal: EndSignal;
}

/** What a close has done. Expected to be read by whoever asked for it: `left` is not an error. */
export interface EndReport {
  /** All that was alive when the close began or came up during it. Empty where all had ended by itself. */
  readonly ended: readonly EndedProcess[];
  /** `cgroup`: the kernel kept account, all is gone. `search`: found by looking through /proc, as far as can be known. */
  readonly by: "cgroup" | "search";
  /** What could not be ended, such as a program of another user. */
  readonly left: readonly { readonly pid: number; readonly name: string }[];
}

/** Hang-up gets this part of the grace before TERM follows. */
const HANG_UP_PART = 0.25;
const LOOK_EVERY_MS = 10;
/** A process in an uninterruptible read dies only when that ends: after this long it is reported as left. */
const KILL_PATIENCE_MS = 3_000;

/** `killAtMs` on the clock of `performance.now()`; it is asked again and again, for a second caller may be in more of a hurry. */
export async function endTree(tree: ProcessTree, killAtMs: () => number): Promise<EndReport> {
  const ended = new Map<string, EndedProcess>();
  const startedMs = performance.now();
  let killedMs = Number.POSITIVE_INFINITY;
  for (;;) {
    const nowMs = performance.now();
    const stage = stageAt({ startedMs, nowMs, killAtMs: killAtMs() });
    const alive = await tree.list();
    // Counted from the first KILL: the time for it may be long over when a busy machine lets us look.
    if (alive.length === 0 || nowMs >= killedMs + KILL_PATIENCE_MS) return report(ended, alive, tree.isContained);
    if (stage === "SIGKILL") {
      killedMs = Math.min(killedMs, performance.now());
      tree.killContained();
    }
    for (const entry of alive) send(entry, stage, ended);
    await sleep(LOOK_EVERY_MS);
  }
}

interface Moment {
  readonly startedMs: number;
  readonly nowMs: number;
  readonly killAtMs: number;
}

/** Pure: how hard to press at this moment. */
export function stageAt({ startedMs, nowMs, killAtMs }: Moment): EndSignal {
  if (nowMs >= killAtMs) return "SIGKILL";
  return nowMs < startedMs + (killAtMs - startedMs) * HANG_UP_PART ? "SIGHUP" : "SIGTERM";
}

function send(entry: ProcessEntry, stage: EndSignal, ended: Map<string, EndedProcess>): void {
  const key = `${entry.pid} ${entry.startTime}`;
  const isRepeated = ended.get(key)?.signal === stage && stage !== "SIGKILL";
  ended.set(key, { pid: entry.pid, name: entry.name, signal: stage });
  if (isRepeated) return;
  signalProcess(entry, constants.signals[stage]);
  // A stopped program acts on nothing but KILL until it goes on.
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
