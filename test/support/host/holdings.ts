/** What a host holds at a moment: memory, descriptors, terminals, control groups, and its place on disk. */
import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { until } from "../sessions.ts";
import { testProgram } from "../watching.ts";

/** For a host whose `memoryNow` or `memoryOf` is to be asked. */
export const MEMORY_FLAGS: readonly string[] = ["--expose-gc", "--import", testProgram("tells-its-memory.mjs")];

const ASKS_WITHOUT_FEWER = 5;

export interface Holdings {
  readonly descriptors: number;
  /** Its ends of the terminals of its sessions. */
  readonly terminals: number;
  /** Below its own; 0 where it can make none. */
  readonly groups: number;
}

export function holdingsOf(pid: number): Holdings {
  const targets = namesIn(`/proc/${pid}/fd`).map((fd) => targetOf(`/proc/${pid}/fd/${fd}`));
  return {
    descriptors: targets.length,
    terminals: targets.filter((target) => /^\/dev\/(?:pts\/)?ptmx$/.test(target)).length,
    groups: groupsOf(pid),
  };
}

/**
 * Its resident size after a garbage collection. Without one, the size would mostly show when garbage was last
 * collected.
 */
export async function memoryNow(pid: number, stateDirectory: string): Promise<number> {
  const told = () => [...readFileSync(join(stateDirectory, "host.log"), "utf8").matchAll(/^memory (\d+)$/gm)];
  const { length } = told();
  process.kill(pid, "SIGUSR2");
  await until(() => told().length > length, "it tells how much memory it has");
  return Number(told().at(-1)?.[1]);
}

/** The same at rest. Pages go back to the kernel one by one, so this measures until the size no longer falls. */
export async function memoryOf(pid: number, stateDirectory: string): Promise<number> {
  let least = await memoryNow(pid, stateDirectory);
  for (let asked = 0; asked < ASKS_WITHOUT_FEWER; asked += 1) {
    const now = await memoryNow(pid, stateDirectory);
    if (now < least) asked = 0;
    least = Math.min(least, now);
  }
  return least;
}

/** Each session has one in a directory that is named after its host. */
function groupsOf(pid: number): number {
  const mount = /^\S+ \S+ \S+ \S+ (\S+) .* - cgroup2 /m.exec(readFileSync("/proc/self/mountinfo", "utf8"))?.[1];
  const own = /^0::(.*)$/m.exec(readFileSync(`/proc/${pid}/cgroup`, "utf8"))?.[1];
  if (mount === undefined || own === undefined) return 0;
  // A host that is ready for the next session is in the group of that session.
  const parent = join(mount, own.replace(/\/limpet1-.*/, ""));
  const roots = namesIn(parent).filter((name) => new RegExp(`^limpet1-\\d+-${pid}-`).test(name));
  return roots.reduce((sum, root) => sum + directoriesIn(join(parent, root)).length, 0);
}

/** What a state directory has of its sessions, and how many bytes that takes. The audit has a limit of its own. */
export function onDisk(stateDirectory: string): { readonly ids: readonly number[]; readonly bytes: number } {
  const sessions = join(stateDirectory, "sessions");
  const ids = namesIn(sessions).map((name) => Number.parseInt(name, 10));
  return { ids: ids.sort((one, other) => one - other), bytes: bytesIn(sessions) };
}

function bytesIn(directory: string): number {
  const inside = directoriesIn(directory).reduce((sum, name) => sum + bytesIn(join(directory, name)), 0);
  return namesIn(directory).reduce((sum, name) => sum + sizeOf(join(directory, name)), inside);
}

/** 0 for a file that was deleted meanwhile. */
function sizeOf(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() ? stats.size : 0;
}

function namesIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function directoriesIn(path: string): string[] {
  try {
    const entries = readdirSync(path, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch {
    return [];
  }
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return "";
  }
}
