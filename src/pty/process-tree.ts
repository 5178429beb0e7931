/**
 * All that a session started: contain it, list it, signal it, kill it.
 *
 * With a control group this is exact. Without one, a process belongs to the tree when it is in the terminal's session,
 * descends from a member, or carries the session's mark in its environment: that finds setsid, nohup and double forks, unless
 * they also clear their environment. `isCertain` says which of the two it was.
 */
import { constants } from "node:os";
import type { Cgroup } from "./cgroup.ts";
import { libc } from "./libc.ts";
import {
  listProcesses,
  listProcessesNow,
  type MarkedProcess,
  type ProcessEntry,
  readChildren,
  readProcess,
  readRunTimeMs,
} from "./processes.ts";

/** Loading a shell alone takes some 0.5 ms of processor time before it can start anything. */
const TOO_SHORT_TO_FORK_MS = 0.4;

export interface TreeOptions {
  /** The program: leader of its own session. */
  readonly pid: number;
  /** What the whole tree has as its mark in the environment. */
  readonly mark?: string | undefined;
  /** Made before the program, to be in time; undefined where there is none. */
  readonly group: Cgroup | undefined;
}

export class ProcessTree {
  readonly #pid: number;
  readonly #mark: string | undefined;
  readonly #group: Cgroup | undefined;
  /** Nothing of the session is outside the group; since children are born into it, that stays so. */
  #isComplete: boolean;
  #outside: readonly ProcessEntry[] = [];
  #isReaped = false;

  constructor({ pid, mark, group }: TreeOptions) {
    this.#pid = pid;
    this.#mark = mark;
    this.#group = group;
    this.#isComplete = this.#contain(pid);
  }

  /** False: processes are found by looking, and one that hides well may be missed. */
  get isContained(): boolean {
    return this.#group !== undefined;
  }

  /** Everything alive. What is found outside the group is moved into it. */
  async list(): Promise<ProcessEntry[]> {
    if (!this.#isComplete) await this.#gather();
    return this.#outside.length === 0 ? this.#listGroup() : [...this.#listGroup(), ...this.#outside];
  }

  /** The program's exit was collected: from now on its pid may be somebody else's. */
  programReaped(): void {
    this.#isReaped = true;
  }

  /** In this turn: everything that the kernel lets us end without looking for it. */
  killContained(): void {
    this.#group?.kill();
    if (!this.#isReaped) libc.kill(-this.#pid, constants.signals.SIGKILL);
  }

  /** In this turn, looked for or not, and the control group given back: for the end of this process. */
  killNow(): void {
    this.killContained();
    if (!this.#isComplete) {
      const found = membersOf(listProcessesNow(), { session: this.#pid, mark: this.#mark });
      for (const entry of found) signalProcess(entry, constants.signals.SIGKILL);
    }
    this.#group?.removeNow();
  }

  /** Gives the control group back. Call when nothing is left in it. */
  async release(): Promise<void> {
    await this.#group?.remove();
  }

  /**
   * The program runs already: what it started before it was moved is not in the group. Its children are moved too, but one
   * that was started and orphaned by then would be missed. So the group tells all only when the program had no
   * time for that.
   */
  #contain(pid: number): boolean {
    if (!this.#group?.add(pid)) return false;
    const entry = readProcess(pid);
    const early = entry ? readChildren(entry) : [];
    for (const child of early) this.#contain(child);
    const ranMs = readRunTimeMs(pid);
    return early.length === 0 && ranMs !== undefined && ranMs < TOO_SHORT_TO_FORK_MS;
  }

  async #gather(): Promise<void> {
    const found = membersOf(await listProcesses(), { session: this.#pid, mark: this.#mark });
    const inside = new Set(this.#group?.pids() ?? []);
    const outside = found.filter(({ pid }) => !inside.has(pid));
    this.#outside = outside.filter(({ pid }) => !this.#group?.add(pid));
    this.#isComplete = this.#group !== undefined && outside.length === 0;
  }

  #listGroup(): ProcessEntry[] {
    const entries = this.#group?.pids().map(readProcess) ?? [];
    return entries.filter((entry) => entry !== undefined).filter(({ state }) => state !== "Z");
  }
}

/** The start time must still fit: the pid may belong to somebody else by now. */
export function signalProcess(entry: ProcessEntry, signal: number): void {
  if (readProcess(entry.pid)?.startTime === entry.startTime) libc.kill(entry.pid, signal);
}

/** Pure: who of `all` belongs to the session, by itself or by descent. */
export function membersOf(
  all: readonly MarkedProcess[],
  { session, mark }: { readonly session: number; readonly mark: string | undefined },
): ProcessEntry[] {
  const isOurs = (entry: MarkedProcess) => entry.session === session || (mark !== undefined && entry.mark === mark);
  const members = new Set(all.filter(isOurs).map((entry) => entry.pid));
  let before = -1;
  while (members.size !== before) {
    before = members.size;
    for (const entry of all) if (members.has(entry.parent)) members.add(entry.pid);
  }
  return all.filter((entry) => members.has(entry.pid));
}
