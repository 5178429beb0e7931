/**
 * Frees a lock that a process waits for although only the process itself can have locked it. A program that jumps out
 * of a signal handler may leave a lock of the C library locked, and wait for it forever when it needs it again.
 */
import { closeSync, openSync, writeSync } from "node:fs";
import { constants } from "node:os";
import { libc } from "../libc.ts";
import { readShortProcFile } from "../proc-file.ts";
import { withSpareDescriptor } from "../spare-descriptor.ts";
import { readThreads } from "./processes.ts";
import { readMemory } from "./read-memory.ts";

/** The number of `futex`. */
const CALLS: Readonly<Record<string, number>> = { x64: 202, arm64: 98 };
/** Waits for a lock of the own process, without a time limit, as long as the lock has the value for "awaited". */
const WAIT = /^(\d+) (0x[0-9a-f]+) 0x80 0x2 0x0 /;
const AWAITED = 2;
const LOCK_BYTES = 4;

/** Pure: the address of the lock that a thread waits for, from `/proc/PID/syscall`; undefined in any other call. */
export function awaitedLockAt(syscall: string, arch: string): number | undefined {
  const [, call, at] = WAIT.exec(syscall) ?? [];
  return call === undefined || Number(call) !== CALLS[arch] ? undefined : Number(at);
}

/**
 * False if the process, which is a child of this one, does not wait for such a lock, or if the kernel does not allow
 * this process to change its memory. Costs about 10 µs while it does not wait.
 */
export function freeOwnLock(pid: number): boolean {
  const at = awaitedLockAt(readShortProcFile(`/proc/${pid}/syscall`) ?? "", process.arch);
  // Another thread would unlock it.
  if (at === undefined || readThreads(pid).length !== 1) return false;
  const lock = readMemory(`/proc/${pid}`, BigInt(at), LOCK_BYTES);
  if (lock.length !== LOCK_BYTES || lock.readUInt32LE() !== AWAITED || !clear(pid, at)) return false;
  // It looks at the lock again when it wakes up, and every program wakes up to be stopped.
  libc.kill(pid, constants.signals.SIGSTOP);
  libc.kill(pid, constants.signals.SIGCONT);
  return true;
}

function clear(pid: number, at: number): boolean {
  try {
    const memory = withSpareDescriptor(() => openSync(`/proc/${pid}/mem`, "r+"));
    try {
      return writeSync(memory, Buffer.alloc(LOCK_BYTES), 0, LOCK_BYTES, at) === LOCK_BYTES;
    } finally {
      closeSync(memory);
    }
  } catch {
    return false;
  }
}
