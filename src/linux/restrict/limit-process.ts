/**
 * The limits that the kernel keeps for each process (prlimit). A process hands them on to everything it starts, and only
 * root can raise them again.
 */
import { LimpetError } from "../../base/limpet-error.ts";
import type { LimitName, SessionLimits } from "../../base/session-limits.ts";
import { errno, errnoName, libc } from "../libc.ts";

const RLIMIT_CPU = 0;
const RLIMIT_FSIZE = 1;
const RLIMIT_DATA = 2;
const RLIMIT_NPROC = 6;
const RLIMIT_NOFILE = 7;
/** Two numbers of 64 bits. */
const RLIMIT_BYTES = 16;
/** Between SIGXCPU, which a program may handle, and SIGKILL. */
const CPU_GRACE_SECONDS = 5n;

/** What to set: the limit that a program runs into, and the one that it cannot raise. */
interface Resource {
  readonly resource: number;
  readonly soft: bigint;
  readonly hard: bigint;
}

/** `processes`: how many of the user's tasks there may be, because the kernel counts all of the user's. */
export interface ProcessLimits extends SessionLimits {
  readonly userTasks?: number | undefined;
}

/** Which limits the kernel can keep for each process. */
export const PROCESS_LIMITS: readonly LimitName[] = ["memory", "openFiles", "cpuTime", "fileSize"];

/** Pure. `memory` is what a process can write to: address space that is only reserved does not count. */
export function resourcesOf({ memory, openFiles, cpuTime, fileSize, userTasks }: ProcessLimits): readonly Resource[] {
  const seconds = cpuTime === undefined ? undefined : BigInt(Math.ceil(cpuTime / 1000));
  return [
    ...both(RLIMIT_DATA, memory),
    ...both(RLIMIT_NOFILE, openFiles),
    ...both(RLIMIT_FSIZE, fileSize),
    ...both(RLIMIT_NPROC, userTasks),
    ...(seconds === undefined ? [] : [{ resource: RLIMIT_CPU, soft: seconds, hard: seconds + CPU_GRACE_SECONDS }]),
  ];
}

function both(resource: number, value: number | undefined): readonly Resource[] {
  return value === undefined ? [] : [{ resource, soft: BigInt(value), hard: BigInt(value) }];
}

/** Never raises a limit. Does nothing if the process has ended. Throws if the process belongs to another user. */
export function limitProcess(pid: number, resources: readonly Resource[]): void {
  if (!resources.every((resource) => lower(pid, resource))) requireGone(pid);
}

function lower(pid: number, { resource, soft, hard }: Resource): boolean {
  const old = Buffer.alloc(RLIMIT_BYTES);
  if (libc.prlimit(pid, resource, null, old) !== 0) return false;
  const wanted = Buffer.alloc(RLIMIT_BYTES);
  wanted.writeBigUInt64LE(least(soft, old.readBigUInt64LE(0)), 0);
  wanted.writeBigUInt64LE(least(hard, old.readBigUInt64LE(8)), 8);
  return libc.prlimit(pid, resource, wanted, null) === 0;
}

/** "No limit" is the largest number. */
function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

function requireGone(pid: number): void {
  const name = errnoName(errno());
  if (name === "ESRCH") return;
  throw new LimpetError(
    "LIMIT_UNAVAILABLE",
    `The limits of process ${pid} cannot be set (${name}). Start it through a shell, or without limits.`,
  );
}
