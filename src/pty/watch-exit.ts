/**
 * Reports how our programs ended, with one SIGCHLD listener for all.
 *
 * The kernel merges SIGCHLDs that arrive together, so each one checks every program. Only our own pids are checked:
 * `waitpid(-1)` would steal the exits of Node's child processes.
 */

import { constants } from "node:os";
import { isMainThread } from "node:worker_threads";
import type { Exit } from "../base/exit.ts";
import { errno, libc } from "../linux/libc.ts";

const WNOHANG = 1;
/** Worker threads receive no signals, so they poll this often. */
const ASK_EVERY_MS = 5;
/** The interval of a timer that keeps Node running for our programs, because a signal listener does not. */
const KEEP_ALIVE_MS = 10_000;

interface Watched {
  readonly onExit: (exit: Exit) => void;
  readonly isAwaited: boolean;
}

const watched = new Map<number, Watched>();
const status = Buffer.alloc(4);
/** Some numbers also have an older name, which is later in the list. The first name is the common one. */
const signalNames = new Map(
  Object.entries(constants.signals)
    .reverse()
    .map(([name, number]) => [number, name]),
);
let isListening = false;
let keepAlive: NodeJS.Timeout | undefined;

/** Call before the program starts, so that an early exit is not missed. */
export function listenForExits(): void {
  if (isListening) return;
  isListening = true;
  if (isMainThread) process.on("SIGCHLD", sweep);
  else setInterval(sweep, ASK_EVERY_MS).unref();
}

/**
 * Calls `onExit` once, when the program has ended. With `isAwaited` false, the program does not keep this process
 * running.
 */
export function watchExit(
  pid: number,
  onExit: (exit: Exit) => void,
  { isAwaited = true }: { readonly isAwaited?: boolean } = {},
): void {
  watched.set(pid, { onExit, isAwaited });
  if (isAwaited) keepAlive ??= setInterval(sweep, KEEP_ALIVE_MS);
}

function sweep(): void {
  for (const [pid, { onExit }] of watched) {
    const exit = askExit(pid);
    if (!exit) continue;
    watched.delete(pid);
    onExit(exit);
  }
  if ([...watched.values()].some(({ isAwaited }) => isAwaited)) return;
  clearInterval(keepAlive);
  keepAlive = undefined;
}

function askExit(pid: number): Exit | undefined {
  const result = libc.waitpid(pid, status, WNOHANG);
  if (result === 0) return undefined;
  if (result < 0) return errno() === constants.errno.EINTR ? undefined : { kind: "lost" };
  return decodeStatus(status.readInt32LE());
}

/** Implements the macros of sys/wait.h. Without WUNTRACED, stops and continues are not reported. */
export function decodeStatus(word: number): Exit {
  const signal = word & 0x7f;
  if (signal === 0) return { kind: "code", code: (word >> 8) & 0xff };
  return { kind: "signal", signal: signalNames.get(signal) ?? `SIG${signal}` };
}
