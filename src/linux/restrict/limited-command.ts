/**
 * The limits that the kernel enforces for each process. Everything that a process starts inherits them, and only root
 * can raise them.
 *
 * posix_spawn cannot set them, and setting them right after the start would be too late: on a busy machine, a program
 * may run for milliseconds by then. So `prlimit` of util-linux sets its own and then becomes the program, with the same
 * pid, environment and arguments. Where it is missing, `/bin/sh` does the same.
 */
import { existsSync } from "node:fs";
import { lazy } from "../../base/async/lazy.ts";
import type { LimitName, SessionLimits } from "../../base/session-limits.ts";
import { readKernelFile } from "../proc-file.ts";

/** A program and its arguments. */
interface Invocation {
  readonly program: string;
  readonly args: readonly string[];
}

/** `userTasks`: how many tasks the user may have in total, because the kernel counts tasks per user. */
export interface ProcessLimits extends SessionLimits {
  readonly userTasks?: number | undefined;
}

type Resource = "cpu" | "data" | "fsize" | "nofile" | "nproc";

/** A soft limit, which the program reaches, and a hard limit, which it cannot raise. */
interface Bound {
  readonly soft: number;
  readonly hard: number;
}

type Bounds = Readonly<Partial<Record<Resource, Bound>>>;

/** The limits that the kernel can enforce for each process. */
export const PROCESS_LIMITS: readonly LimitName[] = ["memory", "openFiles", "cpuTime", "fileSize"];

/** Between SIGXCPU, which a program may handle, and SIGKILL. */
const CPU_GRACE_SECONDS = 5;
/** As in `/proc/self/limits`. */
const NAMES: Readonly<Record<Resource, string>> = {
  cpu: "Max cpu time",
  data: "Max data size",
  fsize: "Max file size",
  nofile: "Max open files",
  nproc: "Max processes",
};
const PRLIMIT = "/usr/bin/prlimit";
const KIBIBYTE = 1024;
/** The unit of `ulimit -f`. */
const BLOCK = 512;

/** Starts the program with these limits. */
export function limitedCommand(given: Invocation, limits: ProcessLimits): Invocation {
  const bounds = lowered(boundsOf(limits), readKernelFile("/proc/self/limits") ?? "");
  if (Object.keys(bounds).length === 0) return given;
  return hasPrlimit() ? throughPrlimit(given, bounds) : throughShell(given, bounds);
}

const hasPrlimit = lazy(() => existsSync(PRLIMIT));

/** Pure. `memory` is what a process can write to: address space that is only reserved does not count. */
function boundsOf({ memory, openFiles, cpuTime, fileSize, userTasks }: ProcessLimits): Bounds {
  const seconds = cpuTime === undefined ? undefined : Math.ceil(cpuTime / 1000);
  return {
    ...(seconds === undefined ? {} : { cpu: { soft: seconds, hard: seconds + CPU_GRACE_SECONDS } }),
    ...(memory === undefined ? {} : { data: both(memory) }),
    ...(fileSize === undefined ? {} : { fsize: both(fileSize) }),
    ...(openFiles === undefined ? {} : { nofile: both(openFiles) }),
    ...(userTasks === undefined ? {} : { nproc: both(userTasks) }),
  };
}

function both(value: number): Bound {
  return { soft: value, hard: value };
}

/** The bounds, lowered to those of this process in `/proc/self/limits`. Pure. */
export function lowered(bounds: Bounds, own: string): Bounds {
  const entries = Object.entries(bounds).map(([resource, { soft, hard }]) => {
    const line = new RegExp(`^${NAMES[resource as Resource]} +(\\S+) +(\\S+)`, "m").exec(own);
    const [ownSoft, ownHard] = [numberOf(line?.[1]), numberOf(line?.[2])];
    return [resource, { soft: Math.min(soft, ownSoft), hard: Math.min(hard, ownHard) }] as const;
  });
  return Object.fromEntries(entries);
}

function numberOf(word: string | undefined): number {
  return word === undefined || word === "unlimited" ? Number.POSITIVE_INFINITY : Number(word);
}

/** Pure. */
export function throughPrlimit({ program, args }: Invocation, bounds: Bounds): Invocation {
  const flags = Object.entries(bounds).map(([resource, { soft, hard }]) => `--${resource}=${soft}:${hard}`);
  return { program: PRLIMIT, args: [...flags, "--", program, ...args] };
}

/** Pure. In every POSIX shell with `ulimit -d`, such as dash, bash and busybox. */
export function throughShell({ program, args }: Invocation, { cpu, data, fsize, nofile, nproc }: Bounds): Invocation {
  const steps = [
    ...(cpu ? [`ulimit -Ht ${cpu.hard}`, `ulimit -St ${cpu.soft}`] : []),
    ...(data ? [`ulimit -d ${Math.floor(data.hard / KIBIBYTE)}`] : []),
    ...(fsize ? [`ulimit -f ${Math.ceil(fsize.hard / BLOCK)}`] : []),
    ...(nofile ? [`ulimit -n ${nofile.hard}`] : []),
    // bash has -u, dash has -p for the same.
    ...(nproc ? [`{ ulimit -u ${nproc.hard} 2>/dev/null || ulimit -p ${nproc.hard}; }`] : []),
  ];
  return { program: "/bin/sh", args: ["-c", [...steps, 'exec "$@"'].join(" && "), "sh", program, ...args] };
}
