/**
 * A version 2 control group. A program that is started in it and all its descendants stay in it, through setsid, nohup
 * and double forks. One write kills all of them. Version 1 cannot do that.
 */
import { existsSync, readdirSync, rmdirSync, statSync, writeFileSync } from "node:fs";
import { rmdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { lazy } from "../base/async/lazy.ts";
import { Semaphore } from "../base/async/semaphore.ts";
import { readKernelFile } from "./proc-file.ts";
import { parsePids } from "./processes/processes.ts";
import { withSpareDescriptor } from "./spare-descriptor.ts";

const REMOVE_TRIES = 50;
const REMOVE_EVERY_MS = 10;
/**
 * While this process moves to another group, the kernel lets a removal wait, for 10 ms and more after a pause. It waits
 * off the event loop, and only one does, so that the others leave the threads of Node's pool to other work.
 */
const removals = new Semaphore(1);

interface CgroupOptions {
  readonly onRemoved?: () => void;
  /**
   * Makes sure that this process is not in the group. False if it is still inside: the group must not be killed then.
   */
  readonly beforeKill?: (group: Cgroup) => boolean;
}

export class Cgroup {
  readonly path: string;
  readonly #options: CgroupOptions;
  #removing: Promise<void> | undefined;

  constructor(path: string, options: CgroupOptions = {}) {
    this.path = path;
    this.#options = options;
  }

  /** Moves a process into the group. False if it has already ended or may not be moved. */
  add(pid: number): boolean {
    return this.#write("cgroup.procs", String(pid));
  }

  /**
   * Includes processes in nested groups, which programs may create. Excludes this process, which may be in the group
   * for a moment.
   */
  pids(): number[] {
    const members = groupsBelow(this.path).flatMap((path) =>
      parsePids(readKernelFile(join(path, "cgroup.procs")) ?? ""),
    );
    return members.filter((pid) => pid !== process.pid);
  }

  /** Kills every process in the group. Kernels before 5.14 cannot do this, so the caller checks what is left. */
  kill(): void {
    if (this.#options.beforeKill?.(this) !== false) this.#write("cgroup.kill", "1");
  }

  /** Stops or continues all processes in the group. False if that is not possible. */
  freeze(isFrozen: boolean): boolean {
    if (isFrozen && this.#options.beforeKill?.(this) === false) return false;
    return this.#write("cgroup.freeze", isFrozen ? "1" : "0");
  }

  /** The CPU time of everything that was ever in the group; undefined if the kernel does not count it. */
  cpuMs(): number | undefined {
    const count = /^usage_usec (\d+)$/m.exec(readKernelFile(join(this.path, "cpu.stat")) ?? "")?.[1];
    return count === undefined ? undefined : Number(count) / 1000;
  }

  /** Retries, because the kernel needs a few milliseconds after the last process ends to consider the group empty. */
  remove(): Promise<void> {
    this.#removing ??= this.#remove();
    return this.#removing;
  }

  removeNow(): boolean {
    // Few groups contain others, and listing them takes longer than the removal.
    if (tryRemove(this.path)) return true;
    return groupsBelow(this.path).reverse().every(tryRemove);
  }

  async #remove(): Promise<void> {
    for (let tries = 0; tries < REMOVE_TRIES && !(await this.#removeSoon()); tries += 1) await sleep(REMOVE_EVERY_MS);
    this.#options.onRemoved?.();
  }

  /** The same as `removeNow`, off the event loop. */
  async #removeSoon(): Promise<boolean> {
    return await removals.pass(async () => {
      if (await tryRemoveSoon(this.path)) return true;
      for (const path of groupsBelow(this.path).reverse()) if (!(await tryRemoveSoon(path))) return false;
      return true;
    });
  }

  #write(file: string, text: string): boolean {
    try {
      withSpareDescriptor(() => writeFileSync(join(this.path, file), text));
      return true;
    } catch {
      return false;
    }
  }
}

/** True if the group is removed, by this call or before. False if it is not empty yet. */
function tryRemove(path: string): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch {
    return !existsSync(path);
  }
}

async function tryRemoveSoon(path: string): Promise<boolean> {
  try {
    await rmdir(path);
    return true;
  } catch {
    return !existsSync(path);
  }
}

/**
 * The version 2 control group of this process. It is mounted at /sys/fs/cgroup, or on hybrid layouts at
 * /sys/fs/cgroup/unified.
 */
export function ownGroupPath(): string | undefined {
  const mount = mountPoint();
  const own = /^0::(.*)$/m.exec(readKernelFile("/proc/self/cgroup") ?? "")?.[1];
  return mount === undefined || own === undefined ? undefined : join(mount, own);
}

const mountPoint = lazy(
  () => /^\S+ \S+ \S+ \S+ (\S+) .* - cgroup2 /m.exec(readKernelFile("/proc/self/mountinfo") ?? "")?.[1],
);

/** The links of a directory without subdirectories: its own name, and its entry for itself. */
const LINKS_OF_A_LEAF = 2;

/** The group itself first, then all nested groups. */
export function groupsBelow(path: string): string[] {
  try {
    // Few groups contain others, and listing the files of a group takes longer than reading its processes.
    if (statSync(path).nlink === LINKS_OF_A_LEAF) return [path];
    const inner = withSpareDescriptor(() => readdirSync(path, { withFileTypes: true })).filter((entry) =>
      entry.isDirectory(),
    );
    return [path, ...inner.flatMap((entry) => groupsBelow(join(path, entry.name)))];
  } catch {
    return [];
  }
}
