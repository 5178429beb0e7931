/**
 * All processes that a session started: contain, list, signal and kill them.
 *
 * With a control group this is exact. Without one, a process belongs to the tree if it is in the terminal's session,
 * descends from a member, or carries the session's mark in its environment. That finds setsid, nohup and double forks,
 * unless they also clear their environment. `isContained` says which method applies.
 */
import { constants } from "node:os";
import type { Cgroup } from "../cgroup.ts";
import { libc } from "../libc.ts";
import { familyOf } from "./family-of.ts";
import { listProcesses, listProcessesNow, type MarkedProcess, type ProcessEntry, readProcess } from "./processes.ts";

export interface TreeOptions {
  /** The program, which leads its own session. */
  readonly pid: number;
  /** The session mark that all members carry in their environment. */
  readonly mark?: string | undefined;
  /** The control group the program was started in. Without one, members are found by searching /proc. */
  readonly group?: Cgroup | undefined;
}

/** Identifies a program permanently, together with the control group of its descendants. */
export interface ProgramTrace {
  readonly pid: number;
  readonly startTime: string;
  /** The path of its control group; undefined if it has none. */
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

  /** Undefined if the program ended before its start time could be read. */
  get trace(): ProgramTrace | undefined {
    return this.#startTime === undefined
      ? undefined
      : { pid: this.#pid, startTime: this.#startTime, group: this.#group?.path };
  }

  /** False: members are found by searching, which can miss a process that hides itself. */
  get isContained(): boolean {
    return this.#group !== undefined;
  }

  /** No process is left. This is final, because only a member can start another member. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** All members that are alive. */
  async list(): Promise<ProcessEntry[]> {
    // Pids are reused: once the tree is empty, these pids belong to other programs.
    if (this.#isOver) return [];
    const wasReaped = this.#isReaped;
    const alive = this.#isSearchNeeded() ? union(this.#contained(), await this.#search()) : this.#contained();
    if (wasReaped && alive.length === 0) this.#isOver = true;
    return alive;
  }

  /** Synchronous: the members that the kernel lists without a search. */
  listContained(): ProcessEntry[] {
    return this.#isOver ? [] : this.#contained();
  }

  get group(): Cgroup | undefined {
    return this.#group;
  }

  /** Call after the program's exit was collected: from then on, its pid may be reused. */
  programReaped(): void {
    this.#isReaped = true;
  }

  /** Synchronous: kills all members that can be reached without a search. */
  killContained(): void {
    this.#group?.kill();
    if (!this.#isReaped) libc.kill(-this.#pid, constants.signals.SIGKILL);
  }

  /**
   * Synchronous, for the exit of this process: kills all members, searching if necessary, and removes the control
   * group.
   */
  killNow(): void {
    if (this.#isOver) return;
    this.killContained();
    if (this.#isSearchNeeded()) {
      for (const entry of this.#membersOf(listProcessesNow())) signalProcess(entry, constants.signals.SIGKILL);
    }
    this.#group?.removeNow();
  }

  /** Removes the control group. Call once the tree is empty. */
  async release(): Promise<void> {
    this.#isOver = true;
    await this.#group?.remove();
  }

  /** True if there is no group, or the program moved to another one, as `systemd-run --scope` does. */
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

/** Compares the start time first, because the pid may have been reused. */
export function signalProcess(entry: ProcessEntry, signal: number): void {
  if (readProcess(entry.pid)?.startTime === entry.startTime) libc.kill(entry.pid, signal);
}

/** Pure: the processes of `all` that belong to the session, directly or by descent. */
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
