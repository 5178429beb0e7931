/**
 * A control group per session, where this machine lets us make one: whatever the program starts is born into it,
 * stays in it through setsid, nohup and double forks, and is ended with a single write.
 *
 * Only version 2 can do that. It is mounted at /sys/fs/cgroup, or on hybrid layouts at /sys/fs/cgroup/unified. Our groups
 * lie inside the group that we are in ourselves, under one directory named after this process.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parsePids, readProcess } from "./processes.ts";

const REMOVE_TRIES = 50;
const REMOVE_EVERY_MS = 10;

/** An empty directory of ours is given back after this long: kept a moment, it spares the next session its making. */
const KEEP_ROOT_MS = 100;

/** Undefined where groups cannot be made. */
let root: string | undefined | "not tried" = "not tried";
let made = 0;
let inUse = 0;
let isSwept = false;

/** Undefined where this machine does not let us. */
export function makeGroup(): Cgroup | undefined {
  if (root === "not tried") root = makeRoot();
  if (root === undefined) return undefined;
  try {
    made += 1;
    const path = join(root, `s${made}`);
    mkdirSync(path);
    inUse += 1;
    return new Cgroup(path);
  } catch {
    return undefined;
  }
}

export class Cgroup {
  readonly path: string;
  #removing: Promise<void> | undefined;

  constructor(path: string) {
    this.path = path;
  }

  /** False when the process is already gone or may not be moved. */
  add(pid: number): boolean {
    try {
      writeFileSync(join(this.path, "cgroup.procs"), String(pid));
      return true;
    } catch {
      return false;
    }
  }

  /** Programs may have made groups of their own inside. */
  pids(): number[] {
    return groupsBelow(this.path).flatMap((path) => parsePids(readOrEmpty(join(path, "cgroup.procs"))));
  }

  kill(): void {
    try {
      writeFileSync(join(this.path, "cgroup.kill"), "1");
    } catch {
      // Kernels before 5.14 lack the file. The caller looks whether anything is left.
    }
  }

  /** The kernel empties a group some milliseconds after its last process. */
  remove(): Promise<void> {
    this.#removing ??= this.#remove();
    return this.#removing;
  }

  async #remove(): Promise<void> {
    await removePatiently(this);
    inUse -= 1;
    if (inUse === 0) setTimeout(() => inUse === 0 && removeRoot(), KEEP_ROOT_MS).unref();
  }

  removeNow(): boolean {
    return removeGroup(this.path);
  }
}

/** Ends what is left in our groups and removes them, in this turn: for the end of this process. */
export function removeRoot(): void {
  if (root === undefined || root === "not tried") return;
  new Cgroup(root).kill();
  removeGroup(root);
  process.off("exit", removeRoot);
  root = "not tried";
}

function makeRoot(): string | undefined {
  const parent = ownGroup();
  if (parent === undefined) return undefined;
  try {
    const path = join(parent, rootName(process.pid) ?? "");
    mkdirSync(path, { recursive: true });
    if (!isSwept) endStaleRoots(parent);
    isSwept = true;
    process.once("exit", removeRoot);
    return existsSync(join(path, "cgroup.kill")) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** A pid means something only within its namespace, and names a process for good only with its start time. */
function rootName(pid: number): string | undefined {
  const startTime = readProcess(pid)?.startTime;
  const namespace = /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0];
  return startTime === undefined ? undefined : `limpet-${namespace}-${pid}-${startTime}`;
}

/** A process of ours that was killed could not clean up: what it left running is ended here. */
function endStaleRoots(parent: string): void {
  const ours = rootName(process.pid)?.split("-")[1];
  for (const name of readdirSync(parent)) {
    const [prefix, namespace, pid] = name.split("-");
    if (prefix !== "limpet" || namespace !== ours || rootName(Number(pid)) === name) continue;
    const stale = new Cgroup(join(parent, name));
    stale.kill();
    void removePatiently(stale);
  }
}

async function removePatiently(group: Cgroup): Promise<void> {
  for (let tries = 0; tries < REMOVE_TRIES && !group.removeNow(); tries += 1) await sleep(REMOVE_EVERY_MS);
}

function ownGroup(): string | undefined {
  const mount = /^\S+ \S+ \S+ \S+ (\S+) .* - cgroup2 /m.exec(readOrEmpty("/proc/self/mountinfo"))?.[1];
  const own = /^0::(.*)$/m.exec(readOrEmpty("/proc/self/cgroup"))?.[1];
  return mount === undefined || own === undefined ? undefined : join(mount, own);
}

function groupsBelow(path: string): string[] {
  try {
    const inner = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return [path, ...inner.flatMap((entry) => groupsBelow(join(path, entry.name)))];
  } catch {
    return [];
  }
}

function removeGroup(path: string): boolean {
  try {
    for (const inner of groupsBelow(path).reverse()) rmdirSync(inner);
    return !existsSync(path);
  } catch {
    return !existsSync(path);
  }
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
