/**
 * A control group: whatever is started in it stays in it through setsid, nohup and double forks, and is ended with a
 * single write. Only version 2 can do that.
 */
import { existsSync, readdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readKernelFile } from "./proc-file.ts";
import { parsePids } from "./processes.ts";
import { withSpareDescriptor } from "./spare-descriptor.ts";

const REMOVE_TRIES = 50;
const REMOVE_EVERY_MS = 10;

export class Cgroup {
  readonly path: string;
  readonly #onRemoved: (() => void) | undefined;
  #removing: Promise<void> | undefined;

  constructor(path: string, onRemoved?: () => void) {
    this.path = path;
    this.#onRemoved = onRemoved;
  }

  /** False when the process is already gone or may not be moved. */
  add(pid: number): boolean {
    return this.#write("cgroup.procs", String(pid));
  }

  /** Programs may have made groups of their own inside. */
  pids(): number[] {
    return groupsBelow(this.path).flatMap((path) => parsePids(readKernelFile(join(path, "cgroup.procs")) ?? ""));
  }

  /** Kernels before 5.14 cannot. The caller looks whether anything is left. */
  kill(): void {
    this.#write("cgroup.kill", "1");
  }

  /** The kernel empties a group some milliseconds after its last process. */
  remove(): Promise<void> {
    this.#removing ??= this.#remove();
    return this.#removing;
  }

  removeNow(): boolean {
    try {
      for (const inner of groupsBelow(this.path).reverse()) rmdirSync(inner);
    } catch {
      // Not empty yet, or somebody else was faster.
    }
    return !existsSync(this.path);
  }

  async #remove(): Promise<void> {
    for (let tries = 0; tries < REMOVE_TRIES && !this.removeNow(); tries += 1) await sleep(REMOVE_EVERY_MS);
    this.#onRemoved?.();
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

/** Where version 2 has this process: it is mounted at /sys/fs/cgroup, or on hybrid layouts at /sys/fs/cgroup/unified. */
export function ownGroupPath(): string | undefined {
  const mount = /^\S+ \S+ \S+ \S+ (\S+) .* - cgroup2 /m.exec(readKernelFile("/proc/self/mountinfo") ?? "")?.[1];
  const own = /^0::(.*)$/m.exec(readKernelFile("/proc/self/cgroup") ?? "")?.[1];
  return mount === undefined || own === undefined ? undefined : join(mount, own);
}

/** The group itself first, then those inside. */
export function groupsBelow(path: string): string[] {
  try {
    const inner = withSpareDescriptor(() => readdirSync(path, { withFileTypes: true })).filter((entry) =>
      entry.isDirectory(),
    );
    return [path, ...inner.flatMap((entry) => groupsBelow(join(path, entry.name)))];
  } catch {
    return [];
  }
}
