/**
 * All that a session started: contain it, list it, signal it, kill it.
 *
 * With a control group this is exact. Without one, a process belongs to the tree when it is in the terminal's session,
 * descends from a member, or carries the session's mark in its environment: that finds setsid, nohup and double forks, unless
 * they also clear their environment. `isContained` says which of the two it was.
 */
import { constants } from "node:os";
import type { Cgroup } from "./cgroup.ts";
import { familyOf } from "./family-of.ts";
import { libc } from "./libc.ts";
import { listProcesses, listProcessesNow, type MarkedProcess, type ProcessEntry, readProcess } from "./processes.ts";

export interface TreeOptions {
  /** The program: leader of its own session. */
  readonly pid: number;
  /** What the whole tree has as its mark in the environment. */
  readonly mark?: string | undefined;
  /** What the program was born into; without one, the tree is searched for. */
  readonly group?: Cgroup | undefined;
}

/** What names a program for good, and where all that it starts is kept together. */
export interface ProgramTrace {
  readonly pid: number;
  readonly startTime: string;
  /** The path of its control group; undefined where it has none. */
  readonly group: string | undefined;
}

export class ProcessTree {
  readonly #pid: number;
  readonly #mark: string | undefined;
  readonly #group: Cgroup | undefined;
  readonly #startTime: string | undefined;
  #isReaped = false;
  #hasLeftGroup = false;
  #isOver = false;

  constructor({ pid, mark, group }: TreeOptions) {
    this.#pid = pid;
    this.#mark = mark;
    this.#group = group;
    this.#startTime = readProcess(pid)?.startTime;
  }

  /** Undefined where the program was gone before we could look. */
  get trace(): ProgramTrace | undefined {
    return this.#startTime === undefined
      ? undefined
      : { pid: this.#pid, startTime: this.#startTime, group: this.#group?.path };
  }

  /** False: processes were found by looking, and one that hid well may have been missed. */
  get isContained(): boolean {
    return this.#group !== undefined;
  }

  /** Nothing is left, and since only what is left could start anything, that stays so. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Everything alive. */
  async list(): Promise<ProcessEntry[]> {
    // Numbers are used again: once nothing was left, whoever has them now is a stranger.
    if (this.#isOver) return [];
    const wasReaped = this.#isReaped;
    const alive = this.#isSearchNeeded() ? union(this.#contained(), await this.#search()) : this.#contained();
    if (wasReaped && alive.length === 0) this.#isOver = true;
    return alive;
  }

  /** In this turn, as far as the kernel tells without a search. */
  listContained(): ProcessEntry[] {
    return this.#isOver ? [] : this.#contained();
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
    if (this.#isOver) return;
    this.killContained();
    if (this.#isSearchNeeded()) {
      for (const entry of this.#membersOf(listProcessesNow())) signalProcess(entry, constants.signals.SIGKILL);
    }
    this.#group?.removeNow();
  }

  /** Gives the control group back. Call when nothing is left in it. */
  async release(): Promise<void> {
    this.#isOver = true;
    await this.#group?.remove();
  }

  /** There is no group, or the program has gone to another one, as `systemd-run --scope` does. */
  #isSearchNeeded(): boolean {
    if (!this.#group) return true;
    if (!this.#isReaped && !this.#hasLeftGroup) {
      this.#hasLeftGroup = isAlive(readProcess(this.#pid)) && !this.#group.pids().includes(this.#pid);
    }
    return this.#hasLeftGroup;
  }

  #contained(): ProcessEntry[] {
    return (this.#group?.pids() ?? []).map(readProcess).filter(isAlive);
  }

  async #search(): Promise<ProcessEntry[]> {
    return this.#membersOf(await listProcesses());
  }

  #membersOf(all: readonly MarkedProcess[]): ProcessEntry[] {
    const leader = all.find(({ pid }) => pid === this.#pid);
    const isReused = leader !== undefined && this.#startTime !== undefined && leader.startTime !== this.#startTime;
    return membersOf(all, { session: isReused ? undefined : this.#pid, mark: this.#mark });
  }
}

function isAlive(entry: ProcessEntry | undefined): entry is ProcessEntry {
  return entry !== undefined && entry.state !== "Z";
}

function union(some: readonly ProcessEntry[], more: readonly ProcessEntry[]): ProcessEntry[] {
  const known = new Set(some.map(({ pid }) => pid));
  return [...some, ...more.filter(({ pid }) => !known.has(pid))];
}

/** The start time must still fit: the pid may belong to somebody else by now. */
export function signalProcess(entry: ProcessEntry, signal: number): void {
  if (readProcess(entry.pid)?.startTime === entry.startTime) libc.kill(entry.pid, signal);
}

/** Pure: who of `all` belongs to the session, by itself or by descent. */
export function membersOf(
  all: readonly MarkedProcess[],
  { session, mark }: { readonly session: number | undefined; readonly mark: string | undefined },
): ProcessEntry[] {
  const isOurs = (entry: MarkedProcess) => entry.session === session || (mark !== undefined && entry.mark === mark);
  const members = familyOf(
    all.filter(isOurs).map(({ pid }) => pid),
    all,
  );
  return all.filter((entry) => members.has(entry.pid));
}
