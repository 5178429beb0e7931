/**
 * A control group per session, where this machine lets us make one. They lie inside the group that we are in
 * ourselves, in one directory named after this process and this copy of the module: another copy has sessions of its own.
 *
 * A program is born into its group. Moving it there afterwards would be too late, for it may have started others by then,
 * whom nobody would find again. Where libc cannot name the group for a new process, this process enters it, starts the
 * program and returns, all in one turn: that is slower, for the kernel waits until all cores have taken notice of a move.
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

/** An empty directory of ours is given back after this long: kept a moment, it spares the next session its making. */
const KEEP_ROOT_MS = 100;
/** At the end of this process, how long the kernel is waited for to empty the groups whose programs were just killed. */
const LAST_TRIES = 100;
const LAST_TRY_EVERY_MS = 5;

/** The number is that of the form of the name: one who reads it wrongly would end living sessions. */
const PREFIX = "limpet1";
const copyId = randomBytes(4).toString("hex");

interface Root {
  readonly path: string;
  /** Open for writing, so that the way back needs nothing that could be missing. */
  readonly home: number;
}

/** What a program comes into a group by: the directory of the group, or its list of members open for writing. */
type Door = "directory" | "members";

interface Room {
  readonly group: Cgroup;
  readonly door: number;
}

/** False, once this machine has shown that it does not work. */
let isBornInside = canSpawnInside;

/** Made in a quiet moment, so that the next program need not wait for it. */
let spare: Room | undefined;
/** Undefined where groups cannot be made. */
let root: Root | undefined | "not tried" = "not tried";
let made = 0;
let inUse = 0;
let isSwept = false;

export interface Started {
  readonly pid: number;
  /** Holds the program and all that it ever started; undefined where that cannot be had. */
  readonly group: Cgroup | undefined;
}

/**
 * Starts a program in a group of its own. `start` is given the open directory of the group that it is to be born into, or
 * nothing for ours. What it throws is thrown, and the group is given back.
 */
export function startInGroup(start: (group?: number) => number): Started {
  holdSpareDescriptor();
  // A process is in one group at a time with all its threads, so two threads could not do this side by side.
  if (!isMainThread) return { pid: start(), group: undefined };
  if (root === "not tried") root = makeRoot();
  if (!root) return { pid: start(), group: undefined };
  const born = isBornInside ? startInside(root, start) : undefined;
  if (born) return born;
  const taken = takeAlong(root, start);
  // Else it would have thrown too: it is not the program that could not be started.
  isBornInside = false;
  return taken;
}

/** Undefined where that failed, for a reason of the program or of this machine: the other way will tell. */
function startInside(inside: Root, start: (group: number) => number): Started | undefined {
  const room = takeRoom(inside, "directory");
  if (!room) return undefined;
  try {
    return { pid: start(room.door), group: room.group };
  } catch {
    void room.group.remove();
    return undefined;
  } finally {
    setImmediate(tidyUp, room);
  }
}

/** Enters the group, starts the program there, and returns. */
function takeAlong(inside: Root, start: () => number): Started {
  const room = takeRoom(inside, "members");
  if (!room) return { pid: start(), group: undefined };
  const { group } = room;
  const isInside = enter(room.door);
  let pid: number | undefined;
  try {
    pid = start();
  } finally {
    const isBack = enter(inside.home) || !group.pids().includes(process.pid);
    if (!isInside || !isBack || pid === undefined) void group.remove();
    // Stuck inside, we would end ourselves with the session.
    if (!isBack) root = undefined;
    setImmediate(() => {
      expelStrays(group, pid);
      tidyUp(room);
    });
  }
  return { pid, group: isInside && root ? group : undefined };
}

function enter(door: number, pid: number = process.pid): boolean {
  try {
    writeSync(door, String(pid));
    return true;
  } catch {
    return false;
  }
}

/** What need not be done while somebody waits for the program. */
function tidyUp({ door }: Room): void {
  closeSync(door);
  if (root && root !== "not tried") spare ??= makeRoom(root, isBornInside ? "directory" : "members");
}

/**
 * What another thread of ours started while we were inside was born in the group too, and does not belong there. It is in our
 * own session; what the program started and orphaned, and may be our child as well by now, is not.
 */
function expelStrays(group: Cgroup, program: number | undefined): void {
  if (!root || root === "not tried") return;
  const own = readProcess(process.pid)?.session;
  const isStray = (pid: number) => {
    const entry = pid === program ? undefined : readProcess(pid);
    return entry?.parent === process.pid && entry.session === own;
  };
  for (const pid of group.pids().filter(isStray)) enter(root.home, pid);
}

function takeRoom(inside: Root, door: Door): Room | undefined {
  const room = spare ?? makeRoom(inside, door);
  spare = undefined;
  if (room) inUse += 1;
  return room;
}

function makeRoom({ path }: Root, door: Door): Room | undefined {
  made += 1;
  const group = new Cgroup(join(path, `s${made}`), giveBack);
  try {
    mkdirSync(group.path);
    return {
      group,
      door: door === "directory" ? openSync(group.path, "r") : openSync(join(group.path, "cgroup.procs"), "w"),
    };
  } catch {
    return undefined;
  }
}

function giveBack(): void {
  inUse -= 1;
  if (inUse === 0) setTimeout(() => inUse === 0 && removeRoot({ tries: 1 }), KEEP_ROOT_MS).unref();
}

/** At the end of this process: what is left in our groups is ended, and they are removed. */
const everything = { killNow: () => removeRoot({ tries: LAST_TRIES }) };

function removeRoot({ tries }: { readonly tries: number }): void {
  if (root === undefined || root === "not tried") return;
  if (spare) closeSync(spare.door);
  spare = undefined;
  const all = new Cgroup(root.path);
  all.kill();
  for (let tried = 1; !all.removeNow() && tried < tries; tried += 1) sleepNow(LAST_TRY_EVERY_MS);
  closeSync(root.home);
  forget(everything);
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
    endWithProcess(everything);
    return { path, home };
  } catch {
    return undefined;
  }
}

/** A pid means something only within its namespace, and names a process for good only with its start time. */
function ownerName(pid: number): string | undefined {
  const owner = readProcess(pid);
  const namespace = /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0];
  // Nobody may have collected it yet, but a zombie uses its sessions no more.
  const isAlive = owner !== undefined && owner.state !== "Z";
  return isAlive ? `${PREFIX}-${namespace}-${pid}-${owner.startTime}` : undefined;
}

/** A process of ours that was killed could not clean up: what it left running is ended here. */
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
