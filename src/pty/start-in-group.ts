/**
 * Starts each program in a control group of its own, if this machine allows it. The groups are inside the group of this
 * process, in one directory named after this process and this copy of the module, because each copy has its own
 * sessions.
 *
 * A program starts inside its group. Moving it there afterwards would be too late: processes it had already started
 * would stay outside and could not be found again. If libc cannot start a process in another group, this process enters
 * the group, starts the program and leaves again, all in one event loop turn. That is slower, because the kernel
 * synchronizes all cores for each move.
 */
import { randomBytes } from "node:crypto";
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { isMainThread } from "node:worker_threads";
import { Cgroup, ownGroupPath } from "../linux/cgroup.ts";
import { endWithProcess, forget } from "../linux/end-with-process.ts";
import { readProcess } from "../linux/processes.ts";
import { holdSpareDescriptor } from "../linux/spare-descriptor.ts";
import { canSpawnInside } from "./spawn-program.ts";

/** An unused directory is removed after this delay, so that the next session can usually reuse it. */
const KEEP_UNUSED_MS = 100;
/** At the exit of this process, how often to check whether the kernel has emptied the groups of the killed programs. */
const EXIT_TRIES = 100;
const EXIT_TRY_EVERY_MS = 5;

/** The number is the version of the name format: misreading a name would kill live sessions. */
const PREFIX = "limpet1";
const copyId = randomBytes(4).toString("hex");

interface Root {
  readonly path: string;
  /** Kept open for writing, so that leaving a group needs no new descriptor. */
  readonly home: number;
}

/** What is opened to start a program in a group: the directory of the group, or its `cgroup.procs` file for writing. */
type EntryPoint = "directory" | "members";

interface PreparedGroup {
  readonly group: Cgroup;
  readonly entry: number;
}

/** Set to false once starting a program inside a group has failed on this machine. */
let canStartInside = canSpawnInside;

/** Prepared in advance, so that the next program does not wait for it. */
let spare: PreparedGroup | undefined;
/** Undefined if groups cannot be created. */
let root: Root | undefined | "not tried" = "not tried";
let made = 0;
let inUse = 0;
let isSwept = false;

export interface Started {
  readonly pid: number;
  /** Contains the program and all its descendants; undefined if groups cannot be created. */
  readonly group: Cgroup | undefined;
}

/**
 * Starts a program in its own group. `start` receives a descriptor of that group's directory, or nothing to use the
 * group of this process. Errors of `start` are rethrown, after the group is removed.
 */
export function startInGroup(start: (group?: number) => number): Started {
  holdSpareDescriptor();
  // All threads of a process share one group, so two threads cannot do this concurrently.
  if (!isMainThread) return { pid: start(), group: undefined };
  if (root === "not tried") root = makeRoot();
  if (!root) return { pid: start(), group: undefined };
  const started = canStartInside ? startInside(root, start) : undefined;
  if (started) return started;
  const entered = startByEntering(root, start);
  // The fallback did not throw, so the machine caused the failure, not the program.
  canStartInside = false;
  return entered;
}

/** Undefined if the start failed, because of the program or because of this machine. The fallback finds out which. */
function startInside(inside: Root, start: (group: number) => number): Started | undefined {
  const prepared = takePrepared(inside, "directory");
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

/** The fallback: enters the group, starts the program there, and leaves again. */
function startByEntering(inside: Root, start: () => number): Started {
  const prepared = takePrepared(inside, "members");
  if (!prepared) return { pid: start(), group: undefined };
  const { group } = prepared;
  const isInside = enter(prepared.entry);
  let pid: number | undefined;
  try {
    pid = start();
  } finally {
    const isBack = enter(inside.home) || !group.pids().includes(process.pid);
    if (!isInside || !isBack || pid === undefined) void group.remove();
    // If this process is stuck in the group, ending the session would kill it.
    if (!isBack) root = undefined;
    setImmediate(() => {
      moveStraysOut(group, pid);
      prepareNext(prepared);
    });
  }
  return { pid, group: isInside && root ? group : undefined };
}

function enter(entry: number, pid: number = process.pid): boolean {
  try {
    writeSync(entry, String(pid));
    return true;
  } catch {
    return false;
  }
}

/** Work that is deferred until the program has started. */
function prepareNext({ entry }: PreparedGroup): void {
  closeSync(entry);
  if (root && root !== "not tried") spare ??= prepareGroup(root, canStartInside ? "directory" : "members");
}

/**
 * Moves processes out of the group that another thread of this process started while this process was in it. They are
 * in our session. Orphans of the program may also be our children by now, but they are not in our session.
 */
function moveStraysOut(group: Cgroup, program: number | undefined): void {
  if (!root || root === "not tried") return;
  const own = readProcess(process.pid)?.session;
  const isStray = (pid: number) => {
    const entry = pid === program ? undefined : readProcess(pid);
    return entry?.parent === process.pid && entry.session === own;
  };
  for (const pid of group.pids().filter(isStray)) enter(root.home, pid);
}

function takePrepared(inside: Root, entry: EntryPoint): PreparedGroup | undefined {
  const prepared = spare ?? prepareGroup(inside, entry);
  spare = undefined;
  if (prepared) inUse += 1;
  return prepared;
}

function prepareGroup({ path }: Root, entry: EntryPoint): PreparedGroup | undefined {
  made += 1;
  const group = new Cgroup(join(path, `s${made}`), noteRemoved);
  try {
    mkdirSync(group.path);
    return {
      group,
      entry: entry === "directory" ? openSync(group.path, "r") : openSync(join(group.path, "cgroup.procs"), "w"),
    };
  } catch {
    return undefined;
  }
}

function noteRemoved(): void {
  inUse -= 1;
  if (inUse === 0) setTimeout(() => inUse === 0 && removeRoot({ tries: 1 }), KEEP_UNUSED_MS).unref();
}

/** At the exit of this process: kills what is left in its groups and removes them. */
const allGroups = { killNow: () => removeRoot({ tries: EXIT_TRIES }) };

function removeRoot({ tries }: { readonly tries: number }): void {
  if (root === undefined || root === "not tried") return;
  if (spare) closeSync(spare.entry);
  spare = undefined;
  const all = new Cgroup(root.path);
  all.kill();
  for (let tried = 1; !all.removeNow() && tried < tries; tried += 1) sleepNow(EXIT_TRY_EVERY_MS);
  closeSync(root.home);
  forget(allGroups);
  root = "not tried";
}

function makeRoot(): Root | undefined {
  const parent = ownGroupPath();
  const name = ownerName(process.pid);
  if (parent === undefined || name === undefined) return undefined;
  try {
    const path = join(parent, `${name}-${copyId}`);
    mkdirSync(path, { recursive: true });
    if (!isSwept) endStaleGroups(parent);
    isSwept = true;
    if (!existsSync(join(path, "cgroup.kill"))) return undefined;
    const home = openSync(join(parent, "cgroup.procs"), "w");
    endWithProcess(allGroups);
    return { path, home };
  } catch {
    return undefined;
  }
}

/** A pid is only valid within its namespace and identifies a process only together with its start time. */
function ownerName(pid: number): string | undefined {
  const owner = readProcess(pid);
  const namespace = /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0];
  // A zombie may not have been reaped yet, but it uses no sessions.
  const isAlive = owner !== undefined && owner.state !== "Z";
  return isAlive ? `${PREFIX}-${namespace}-${pid}-${owner.startTime}` : undefined;
}

/** Ends the programs of limpet processes that were killed and could not clean up. */
export function endStaleGroups(parent: string): void {
  const ours = ownerName(process.pid)?.split("-")[1];
  for (const name of existsSync(parent) ? readdirSync(parent) : []) {
    const [prefix, namespace, pid] = name.split("-");
    if (prefix !== PREFIX || namespace !== ours) continue;
    const owner = ownerName(Number(pid));
    if (owner !== undefined && name.startsWith(`${owner}-`)) continue;
    const stale = new Cgroup(join(parent, name));
    stale.kill();
    void stale.remove();
  }
}

function sleepNow(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
