/**
 * Sets the limits of a program that has just been started, and of whatever it has started since.
 *
 * Limits of processes are handed on to children, so each process that started before its parent was limited is limited
 * itself, until a listing shows no other. Limits of a control group apply to all its processes at once.
 */
import { readdirSync, statSync } from "node:fs";
import type { Exit } from "../base/exit.ts";
import { type EnforcedLimits, LIMIT_NAMES, type LimitName, type SessionLimits } from "../base/session-limits.ts";
import type { ProcessTree } from "../linux/processes/process-tree.ts";
import { groupHits, groupLimitsOf, limitGroup } from "../linux/restrict/limit-group.ts";
import { limitProcess, PROCESS_LIMITS, type ProcessLimits, resourcesOf } from "../linux/restrict/limit-process.ts";
import { standbySettled } from "../pty/standby-group.ts";

/** The limits of a program, as they are enforced. */
export interface Limiter {
  /** Resolves when all limits are set: those of processes are from the beginning. Rejects like `limitProgram`. */
  readonly ready: Promise<void>;
  readonly enforced: EnforcedLimits;
  /** The limit that the kernel has enforced, if the exit looks like it. */
  explain(exit: Exit): Exit;
  /** Limits that programs ran into without being ended. */
  hits(): readonly LimitName[];
}

/** Throws `LIMIT_UNAVAILABLE` if the program may not be limited; then the caller ends it. */
export function limitProgram(pid: number, tree: ProcessTree, limits: SessionLimits): Limiter {
  const path = tree.group?.path;
  const inGroup = path === undefined ? [] : groupLimitsOf(path, limits);
  limitTree(pid, tree, forProcesses(limits, inGroup));
  const hits = () => {
    const found = path === undefined ? undefined : groupHits(path);
    return inGroup.filter((name) => (name === "memory" || name === "processes") && (found?.[name] ?? 0) > 0);
  };
  return {
    ready: path === undefined ? Promise.resolve() : limitGroupSoon(path, limits, inGroup),
    enforced: enforcedLimits(limits, inGroup),
    explain: (exit) => explainLimit(exit, limits, hits()),
    hits,
  };
}

/** A group must not be limited while this process is in it, as it may be for some milliseconds after a start. */
async function limitGroupSoon(path: string, limits: SessionLimits, inGroup: readonly LimitName[]): Promise<void> {
  await standbySettled();
  limitGroup(path, Object.fromEntries(inGroup.map((name) => [name, limits[name]])));
}

/** Pure: who enforces which limit. */
export function enforcedLimits(limits: SessionLimits, inGroup: readonly LimitName[]): EnforcedLimits {
  const given = LIMIT_NAMES.filter((name) => limits[name] !== undefined);
  return Object.fromEntries(
    given.map((name) => {
      const by = inGroup.includes(name) ? "cgroup" : PROCESS_LIMITS.includes(name) ? "process" : "watch";
      return [name, { value: limits[name] as number, by }];
    }),
  );
}

/** Pure. A shell reports 128 plus the number of the signal that ended its command. */
export function explainLimit(exit: Exit, limits: SessionLimits, hits: readonly LimitName[]): Exit {
  if (exit.kind === "lost") return exit;
  const isSignal = (signal: string, code: number) =>
    exit.kind === "signal" ? exit.signal === signal : exit.code === code;
  if (limits.cpuTime !== undefined && isSignal("SIGXCPU", 152)) return { ...exit, limit: "cpuTime" };
  if (limits.fileSize !== undefined && isSignal("SIGXFSZ", 153)) return { ...exit, limit: "fileSize" };
  return hits.includes("memory") && isSignal("SIGKILL", 137) ? { ...exit, limit: "memory" } : exit;
}

/** What a group enforces, processes need not. */
function forProcesses(limits: SessionLimits, inGroup: readonly LimitName[]): ProcessLimits {
  const { memory, ...rest } = limits;
  const isCounted = limits.processes === undefined || inGroup.includes("processes");
  return {
    ...rest,
    ...(memory === undefined || inGroup.includes("memory") ? {} : { memory }),
    // The kernel counts all tasks of the user, and does not limit root.
    ...(isCounted || process.geteuid?.() === 0 ? {} : { userTasks: countUserTasks() + (limits.processes ?? 0) }),
  };
}

function limitTree(pid: number, tree: ProcessTree, limits: ProcessLimits): void {
  const resources = resourcesOf(limits);
  if (resources.length === 0) return;
  const done = new Set<number>();
  for (let found = [pid]; found.length > 0; ) {
    for (const each of found) {
      limitProcess(each, resources);
      done.add(each);
    }
    found = tree
      .listContained()
      .map((entry) => entry.pid)
      .filter((each) => !done.has(each));
  }
}

/** The processes and threads of this user. */
function countUserTasks(): number {
  const uid = process.geteuid?.();
  let count = 0;
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name) || statSync(`/proc/${name}`, { throwIfNoEntry: false })?.uid !== uid) continue;
    // The directory has one entry for each thread, and links for itself and its parent.
    count += Math.max(1, (statSync(`/proc/${name}/task`, { throwIfNoEntry: false })?.nlink ?? 3) - 2);
  }
  return count;
}
