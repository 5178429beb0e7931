/**
 * The directory of the control groups that this process creates for its programs. It is inside the group of this
 * process, and is named after the process and this copy of the module, because each copy has its own sessions.
 */
import { randomBytes } from "node:crypto";
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { isMainThread } from "node:worker_threads";
import { Cgroup, groupsBelow, ownGroupPath } from "../linux/cgroup.ts";
import { endWithProcess, forget } from "../linux/end-with-process.ts";
import { readKernelFile } from "../linux/proc-file.ts";
import { readProcess } from "../linux/processes/processes.ts";

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
export type EntryPoint = "directory" | "members";

export interface PreparedGroup {
  readonly group: Cgroup;
  readonly entry: number;
}

/** Undefined if groups cannot be created. */
let root: Root | undefined | "not tried" = "not tried";
let made = 0;
let inUse = 0;
let isSwept = false;
const beforeRemoval = new Set<() => void>();

/** Whether this process can make groups. Makes their directory on first use. */
export function hasGroupRoot(): boolean {
  if (root === "not tried") root = makeRoot();
  return root !== undefined;
}

/** The directory of the groups; undefined if this process cannot make any. */
export function groupRootPath(): string | undefined {
  return isMainThread && hasGroupRoot() ? (root as Root).path : undefined;
}

/** Creates an empty group; undefined if that fails. Call `countUse` when a program is started in it. */
export function prepareGroup(entry: EntryPoint): PreparedGroup | undefined {
  if (!hasGroupRoot()) return undefined;
  made += 1;
  const group = new Cgroup(join((root as Root).path, `s${made}`), { onRemoved: noteRemoved, beforeKill: leave });
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

/** Keeps the directory until the group is removed. */
export function countUse(): void {
  inUse += 1;
}

/**
 * Moves a process into a group; by default this process. Blocks until the kernel has done it, for some milliseconds
 * after a pause.
 */
export function enter(entry: number, pid: number = process.pid): boolean {
  try {
    writeSync(entry, String(pid));
    return true;
  } catch {
    return false;
  }
}

/** Moves a process back to the group that this process was started in. */
export function enterHome(pid: number = process.pid): boolean {
  return typeof root === "object" && enter(root.home, pid);
}

/** The descriptor of the list of members of the group that this process was started in; undefined without groups. */
export function homeMembers(): number | undefined {
  return typeof root === "object" ? root.home : undefined;
}

/** Moves this process out of `group` if it is inside. False if it stays inside: killing the group would kill it. */
export function leave(group: Cgroup): boolean {
  if (ownGroupPath() !== group.path) return true;
  return enterHome() || ownGroupPath() !== group.path;
}

/**
 * Stops creating groups, because this process cannot leave one of them, and ending that group would end this process.
 */
export function giveUpGroups(): void {
  root = undefined;
}

/** Sets the function that is called before the directory is removed. A prepared group cannot be used after that. */
export function onRemovingGroups(forgetPrepared: () => void): void {
  beforeRemoval.add(forgetPrepared);
}

/** Keeps the directory until this process ends, although no program runs. */
export function keepGroupRoot(): void {
  inUse += 1;
}

function noteRemoved(): void {
  inUse -= 1;
  if (inUse === 0) setTimeout(() => inUse === 0 && removeRoot({ tries: 1 }), KEEP_UNUSED_MS).unref();
}

/** At the exit of this process: kills what is left in its groups and removes them. */
const allGroups = { killNow: () => removeRoot({ tries: EXIT_TRIES }) };

function removeRoot({ tries }: { readonly tries: number }): void {
  if (root === undefined || root === "not tried") return;
  for (const forgetPrepared of beforeRemoval) forgetPrepared();
  const all = new Cgroup(root.path);
  for (const path of groupsBelow(root.path).slice(1)) {
    const inner = new Cgroup(path, { beforeKill: leave });
    if (inner.pids().length > 0) inner.kill();
  }
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
  // A zombie still has an entry in /proc, but has no sessions.
  const isAlive = owner !== undefined && owner.state !== "Z";
  return isAlive ? `${PREFIX}-${namespace}-${pid}-${owner.startTime}` : undefined;
}

/**
 * The limpet processes in whose sessions a process runs, read from the path of its control group. A double fork does
 * not change that.
 */
export function groupOwnersOf(pid: number): readonly number[] {
  const group = readKernelFile(`/proc/${pid}/cgroup`) ?? "";
  return [...group.matchAll(new RegExp(`/${PREFIX}-\\d+-(\\d+)-`, "g"))].map(([, owner]) => Number(owner));
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
