/**
 * The limits that the kernel enforces for a whole control group, if this process may set them: memory and the number of
 * tasks. A group can have them only if all groups above it delegate the controllers. The kernel refuses that for a
 * group that contains processes itself, except for the root group.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { LimpetError } from "../../base/limpet-error.ts";
import type { LimitName, SessionLimits } from "../../base/session-limits.ts";
import { withSpareDescriptor } from "../spare-descriptor.ts";

/** The file of the group for each limit. */
const FILES = { memory: "memory.max", processes: "pids.max" } as const;
type GroupLimit = keyof typeof FILES;
const GROUP_LIMITS = ["memory", "processes"] as const;
const CONTROLLERS: Readonly<Record<GroupLimit, string>> = { memory: "memory", processes: "pids" };

/** Which of the limits can be set for groups inside `root`. Makes `root` delegate the controllers. */
export function groupLimitsOf(root: string, limits: SessionLimits): readonly LimitName[] {
  const wanted = GROUP_LIMITS.filter((name) => limits[name] !== undefined);
  return wanted.filter((name) => {
    handOn(root, CONTROLLERS[name]);
    return wordsOf(join(root, "cgroup.subtree_control")).includes(CONTROLLERS[name]);
  });
}

/** Sets the limits of a group that `groupLimitsOf` has named. Throws if the kernel refuses one. */
export function limitGroup(path: string, limits: SessionLimits): void {
  for (const name of GROUP_LIMITS) {
    if (limits[name] === undefined || write(join(path, FILES[name]), String(limits[name]))) continue;
    throw new LimpetError(
      "LIMIT_UNAVAILABLE",
      `The kernel refused the ${name} limit for ${path}. Start the program without this limit.`,
    );
  }
}

/** How often a limit was reached: processes that could not be started, and those killed for lack of memory. */
export function groupHits(path: string): Readonly<Record<GroupLimit, number>> {
  return {
    memory: countIn(join(path, "memory.events"), "oom_kill"),
    processes: countIn(join(path, "pids.events"), "max"),
  };
}

/** Makes `path` and all groups above it delegate a controller. */
function handOn(path: string, controller: string): void {
  const file = join(path, "cgroup.subtree_control");
  if (wordsOf(file).includes(controller) || !existsSync(file)) return;
  if (!wordsOf(join(path, "cgroup.controllers")).includes(controller)) handOn(dirname(path), controller);
  write(file, `+${controller}`);
}

function wordsOf(file: string): readonly string[] {
  return read(file).trim().split(/\s+/);
}

function countIn(file: string, name: string): number {
  return Number(new RegExp(`^${name} (\\d+)$`, "m").exec(read(file))?.[1] ?? 0);
}

function read(file: string): string {
  try {
    return withSpareDescriptor(() => readFileSync(file, "utf8"));
  } catch {
    return "";
  }
}

function write(file: string, text: string): boolean {
  try {
    // Without O_CREAT, because a missing file means that the controller is not available.
    withSpareDescriptor(() => writeFileSync(file, text, { flag: "r+" }));
    return true;
  } catch {
    return false;
  }
}
