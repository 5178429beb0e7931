/**
 * Starts each program in a control group of its own, if this machine allows it.
 *
 * A program starts inside its group. Moving it there afterwards would be too late: processes it had already started
 * would stay outside and could not be found again. There are three ways, the best first:
 *
 *   inside    libc starts the process in another group (glibc 2.39)
 *   standby   this process is in the group already, see `standby-group.ts`
 *   entering  this process enters the group, starts the program and leaves again, all in one event loop turn
 */
import { closeSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
import { lazy } from "../base/async/lazy.ts";
import type { Cgroup } from "../linux/cgroup.ts";
import { readProcess } from "../linux/processes/processes.ts";
import { holdSpareDescriptor } from "../linux/spare-descriptor.ts";
import {
  countUse,
  type EntryPoint,
  enter,
  enterHome,
  giveUpGroups,
  hasGroupRoot,
  leave,
  onRemovingGroups,
  type PreparedGroup,
  prepareGroup,
} from "./group-root.ts";
import { canSpawnInside } from "./spawn-program.ts";
import { moveOn, moveUnderWay, standBy, takeStandby } from "./standby-group.ts";

/** Set to false once starting a program inside a group has failed on this machine. */
let canStartInside = canSpawnInside;

/** Prepared in advance, so that the next program does not wait for it. */
let spare: PreparedGroup | undefined;

onRemovingGroups(() => {
  if (spare) closeSync(spare.entry);
  spare = undefined;
});

export interface Started {
  readonly pid: number;
  /** Contains the program and all its descendants; undefined if groups cannot be created. */
  readonly group: Cgroup | undefined;
}

/** Makes later starts fast. Only for a process that starts nothing but sessions. */
export function stayReadyToStart(): void {
  if (isMainThread && !canStartInside) standBy();
}

/**
 * Starts a program in its own group. `start` receives a descriptor of that group's directory, or nothing to use the
 * group of this process. Errors of `start` are rethrown, after the group is removed.
 */
export async function startInGroup(start: (group?: number) => number): Promise<Started> {
  holdSpareDescriptor();
  // All threads of a process share one group, so two threads cannot do this concurrently.
  if (!isMainThread || !hasGroupRoot()) return { pid: start(), group: undefined };
  const started = canStartInside ? startInside(start) : undefined;
  if (started) return started;
  // Entering a group while a move is under way would start the program in whichever group comes last.
  for (let move = moveUnderWay(); move; move = moveUnderWay()) await move;
  const group = takeStandby();
  if (group) return startOnStandby(group, start);
  const entered = startByEntering(start);
  // The fallback did not throw, so the machine caused the failure, not the program.
  canStartInside = false;
  return entered;
}

/** Undefined if the start failed, because of the program or because of this machine. The fallback finds out which. */
function startInside(start: (group: number) => number): Started | undefined {
  const prepared = takePrepared("directory");
  if (!prepared) return undefined;
  try {
    return { pid: start(prepared.entry), group: prepared.group };
  } catch {
    void prepared.group.remove();
    return undefined;
  } finally {
    setImmediate(prepareNext, prepared);
  }
}

function startOnStandby(group: Cgroup, start: () => number): Started {
  countUse();
  // The program is not there yet, so this process has started them: a hook, say, or a connection to another machine.
  for (const pid of group.pids()) enterHome(pid);
  let pid: number | undefined;
  try {
    pid = start();
    return { pid, group };
  } finally {
    if (pid === undefined) void group.remove();
    moveOn();
    setImmediate(moveStraysOut, group, pid);
  }
}

/** Enters the group, starts the program there, and leaves again. */
function startByEntering(start: () => number): Started {
  const prepared = takePrepared("members");
  if (!prepared) return { pid: start(), group: undefined };
  const { group } = prepared;
  const isInside = enter(prepared.entry);
  let isBack = true;
  let pid: number | undefined;
  try {
    pid = start();
  } finally {
    isBack = enterHome() || leave(group);
    if (!isInside || !isBack || pid === undefined) void group.remove();
    // If this process is stuck in the group, ending the session would kill it.
    if (!isBack) giveUpGroups();
    setImmediate(() => {
      moveStraysOut(group, pid);
      prepareNext(prepared);
    });
  }
  return { pid, group: isInside && isBack ? group : undefined };
}

/** Work that is deferred until the program has started. */
function prepareNext({ entry }: PreparedGroup): void {
  closeSync(entry);
  spare ??= prepareGroup(canStartInside ? "directory" : "members");
}

/**
 * Moves processes out of the group that another thread of this process started while it was in it. They are in our
 * session. Orphans of the program may also be our children by now, but they are not in our session.
 */
function moveStraysOut(group: Cgroup, program: number | undefined): void {
  const isStray = (pid: number) => {
    const entry = pid === program ? undefined : readProcess(pid);
    return entry?.parent === process.pid && entry.session === ownSession();
  };
  for (const pid of group.pids().filter(isStray)) enterHome(pid);
}

/** Node never changes the session of its process. */
const ownSession = lazy(() => readProcess(process.pid)?.session);

function takePrepared(entry: EntryPoint): PreparedGroup | undefined {
  const prepared = spare ?? prepareGroup(entry);
  spare = undefined;
  if (prepared) countUse();
  return prepared;
}
