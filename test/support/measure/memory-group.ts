/** A control group that limits memory, of version 1 or 2: what goes in and takes too much is killed by the kernel. */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { until } from "../sessions.ts";

const LIMIT_BYTES = 48 * 1024 * 1024;
let made = 0;

/** Where groups with memory accounting can be made; undefined if nowhere. */
export function memoryGroups(): string | undefined {
  const mounts = readFileSync("/proc/self/mountinfo", "utf8");
  const version1 = /^\S+ \S+ \S+ \S+ (\S+) .* - cgroup \S+ \S*\bmemory\b/m.exec(mounts)?.[1];
  const version2 = /^\S+ \S+ \S+ \S+ (\S+) .* - cgroup2 /m.exec(mounts)?.[1];
  const found = [version1, version2].find((path) => path !== undefined && existsSync(path) && accounts(path));
  return process.getuid?.() === 0 ? found : undefined;
}

function accounts(path: string): boolean {
  if (existsSync(join(path, "memory.limit_in_bytes"))) return true;
  return readFileSync(join(path, "cgroup.controllers"), "utf8").includes("memory");
}

/** The file that takes the pid of a process into a new group, which is gone after the test. */
export function limitedMemory(): string {
  const parent = memoryGroups() ?? "";
  made += 1;
  const group = join(parent, `limpet-test-${process.pid}-${made}`);
  if (existsSync(join(parent, "cgroup.subtree_control"))) attempt(join(parent, "cgroup.subtree_control"), "+memory");
  mkdirSync(group);
  onTestFinished(async () => {
    await until(() => isRemoved(group), `${group} is empty`);
  });
  for (const file of ["memory.limit_in_bytes", "memory.max"]) attempt(join(group, file), String(LIMIT_BYTES));
  attempt(join(group, "memory.memsw.limit_in_bytes"), String(LIMIT_BYTES));
  attempt(join(group, "memory.swap.max"), "0");
  return join(group, "cgroup.procs");
}

function attempt(file: string, text: string): void {
  if (existsSync(file)) writeFileSync(file, text);
}

function isRemoved(group: string): boolean {
  try {
    rmdirSync(group);
  } catch {
    // Not empty yet.
  }
  return !existsSync(group);
}
