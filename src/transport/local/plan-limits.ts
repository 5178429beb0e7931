/**
 * Limits a program: by its control group where that is possible, else each of its processes. Limits of processes are
 * set before the program runs, those of its group some milliseconds later, and for all processes in it.
 */
import { readdirSync, statSync } from "node:fs";
import type { Exit } from "../../base/exit.ts";
import { type EnforcedLimits, LIMIT_NAMES, type LimitName, type SessionLimits } from "../../base/session-limits.ts";
import type { Cgroup } from "../../linux/cgroup.ts";
import { groupHits, groupLimitsOf, limitGroup } from "../../linux/restrict/limit-group.ts";
import { limitedCommand, PROCESS_LIMITS, type ProcessLimits } from "../../linux/restrict/limited-command.ts";
import { findProgram, requireDirectory } from "../../pty/find-program.ts";
import { groupRootPath } from "../../pty/group-root.ts";
import { moveUnderWay } from "../../pty/standby-group.ts";
import type { ChannelOptions } from "../transport.ts";

/** The limits of a program, as they are enforced. */
export interface Limiter {
  readonly enforced: EnforcedLimits;
  /** The limit that the kernel has enforced, if the exit looks like it. */
  explain(exit: Exit): Exit;
  /** Limits that programs ran into without being ended. */
  hits(): readonly LimitName[];
}

/** How to start a program with limits. */
export interface LimitPlan {
  /** What to start instead. */
  readonly options: ChannelOptions;
  /** Call when the program has started. Rejects if the kernel refuses a limit: then the caller ends the program. */
  limit(group: Cgroup | undefined): { readonly limiter: Limiter; readonly ready: Promise<void> };
}

/** Throws as the start of the program would, if the program cannot be started. */
export function planLimits(options: ChannelOptions, limits: SessionLimits): LimitPlan {
  requireDirectory(options.cwd);
  findProgram(options.program, { cwd: options.cwd, path: options.env["PATH"] });
  const root = groupRootPath();
  const planned = root === undefined ? [] : groupLimitsOf(root, limits);
  return {
    options: { ...options, ...limitedCommand(options, forProcesses(limits, planned)) },
    limit(group) {
      // Where the program did not get its group after all, limpet watches.
      const inGroup = group ? planned : [];
      const hits = () => hitsIn(group, inGroup);
      const limiter = {
        enforced: enforcedLimits(limits, { inGroup, planned }),
        explain: (exit: Exit) => explainLimit(exit, limits, hits()),
        hits,
      };
      return { limiter, ready: group ? limitSoon(group, limits, inGroup) : Promise.resolve() };
    },
  };
}

/** A group must not be limited while this process is in it, as it may be for some milliseconds after a start. */
async function limitSoon({ path }: Cgroup, limits: SessionLimits, inGroup: readonly LimitName[]): Promise<void> {
  if (inGroup.length === 0) return;
  await moveUnderWay();
  limitGroup(path, Object.fromEntries(inGroup.map((name) => [name, limits[name]])));
}

function hitsIn(group: Cgroup | undefined, inGroup: readonly LimitName[]): readonly LimitName[] {
  if (!group || inGroup.length === 0) return [];
  const found = groupHits(group.path);
  return inGroup.filter((name) => (name === "memory" || name === "processes") && found[name] > 0);
}

interface GroupLimits {
  readonly inGroup: readonly LimitName[];
  /** What was left to the group when the program was started. */
  readonly planned: readonly LimitName[];
}

/** Pure: who enforces which limit. */
export function enforcedLimits(limits: SessionLimits, { inGroup, planned }: GroupLimits): EnforcedLimits {
  const given = LIMIT_NAMES.filter((name) => limits[name] !== undefined);
  return Object.fromEntries(
    given.map((name) => {
      const isOfProcess = PROCESS_LIMITS.includes(name) && !planned.includes(name);
      const by = inGroup.includes(name) ? "cgroup" : isOfProcess ? "process" : "watch";
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
