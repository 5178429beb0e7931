/** Reads what a blocked thread waits for: the files whose input would end its call, and for how long. */
import type { BlockedIn, Timeout } from "../linux/parse-syscall.ts";
import { readKernelFile } from "../linux/proc-file.ts";
import { readMemory } from "../linux/processes/read-memory.ts";

export interface WaitSet {
  readonly files: readonly number[];
  /** Undefined if the call has no timeout. */
  readonly timeoutMs: number | undefined;
}

/** POLLIN and POLLRDNORM, which are equivalent for a terminal. epoll uses the same numbers. */
const READABLE = 0x41;
const POLLFD_BYTES = 8;
/** struct timespec and struct timeval: seconds, then a fraction. */
const TIME_BYTES = 16;

/** `thread`: its folder in /proc. */
export function readWaitSet(thread: string, blocked: BlockedIn): WaitSet {
  switch (blocked.call) {
    case "read":
      return { files: [blocked.fd], timeoutMs: undefined };
    case "poll": {
      const files = polledFiles(readMemory(thread, blocked.at, blocked.count * POLLFD_BYTES));
      return { files, timeoutMs: readTimeout(thread, blocked.timeout) };
    }
    case "select": {
      const bits = readMemory(thread, blocked.at, Math.ceil(blocked.count / 64) * 8);
      return { files: selectedFiles(bits, blocked.count), timeoutMs: readTimeout(thread, blocked.timeout) };
    }
    case "epoll": {
      const files = epollFiles(readKernelFile(`${thread}/fdinfo/${blocked.fd}`) ?? "");
      return { files, timeoutMs: readTimeout(thread, blocked.timeout) };
    }
  }
}

/** struct pollfd: the file as an int, then the awaited events as a short. */
export function polledFiles(memory: Buffer): number[] {
  const files: number[] = [];
  for (let at = 0; at + POLLFD_BYTES <= memory.length; at += POLLFD_BYTES) {
    if ((memory.readInt16LE(at + 4) & READABLE) !== 0) files.push(memory.readInt32LE(at));
  }
  return files;
}

/** fd_set: one bit per file, lowest first. */
export function selectedFiles(memory: Buffer, count: number): number[] {
  const files = Array.from({ length: Math.min(count, memory.length * 8) }, (_, fd) => fd);
  return files.filter((fd) => ((memory[fd >> 3] ?? 0) & (1 << (fd & 7))) !== 0);
}

/** Lines such as "tfd:        0 events:       19 data: …", with the events in hexadecimal. */
export function epollFiles(fdinfo: string): number[] {
  const lines = fdinfo.matchAll(/^tfd:\s*(\d+)\s+events:\s*([0-9a-f]+)/gm);
  return [...lines]
    .filter(([, , events]) => (Number.parseInt(events ?? "0", 16) & READABLE) !== 0)
    .map(([, fd]) => Number(fd));
}

/** A time that cannot be read counts as short, so that the call does not count as one without a timeout. */
function readTimeout(thread: string, timeout: Timeout): number | undefined {
  if (timeout.kind === "none") return undefined;
  if (timeout.kind === "ms") return timeout.ms;
  const memory = readMemory(thread, timeout.at, TIME_BYTES);
  return memory.length < TIME_BYTES ? 0 : Number(memory.readBigInt64LE(0)) * 1_000;
}
