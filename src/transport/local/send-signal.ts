/** Sends a signal to a program, to its foreground group, or to others that have to do with it. */
import { constants } from "node:os";
import { libc } from "../../linux/libc.ts";
import { startedSince } from "../../linux/processes/process-mark.ts";
import { type ProcessTree, signalProcess } from "../../linux/processes/process-tree.ts";
import { readForegroundGroup } from "../../pty/terminal-mode.ts";
import type { SignalTarget } from "../transport.ts";

/** The state of the program at the moment of the call. */
interface SignalFacts {
  readonly pid: number;
  readonly tree: ProcessTree;
  /** Undefined without a terminal. */
  readonly master: number | undefined;
  readonly hasExited: boolean;
  /** The processes that wait for the terminal's input besides the foreground program. */
  readonly rivals: () => readonly { readonly pid: number }[];
}

/** Returns false if no process was left to receive it. */
export async function sendSignal(name: NodeJS.Signals, target: SignalTarget, facts: SignalFacts): Promise<boolean> {
  const { pid, tree, hasExited } = facts;
  const number = constants.signals[name];
  if (target === "tree" || typeof target === "object") {
    const all = await tree.list();
    const alive = target === "tree" ? all : startedSince(target.since, pid, all);
    for (const entry of alive) signalProcess(entry, number);
    return alive.length > 0;
  }
  if (target === "rivals") return facts.rivals().filter((rival) => libc.kill(rival.pid, number) === 0).length > 0;
  if (target === "program") return !hasExited && libc.kill(pid, number) === 0;
  const group = await foregroundGroup(facts);
  return group !== undefined && libc.kill(-group, number) === 0;
}

/** Once the program has ended, the group that the terminal still names may belong to other processes. */
async function foregroundGroup({ pid, tree, master, hasExited }: SignalFacts): Promise<number | undefined> {
  const group = master === undefined ? pid : readForegroundGroup(master);
  if (!hasExited) return group;
  const alive = await tree.list();
  return alive.some((entry) => entry.group === group) ? group : undefined;
}
