/**
 * Finds who is blocked waiting for the terminal's input.
 *
 * Only the foreground group can read a terminal. Its leader is asked first, then whoever else descends from the program and
 * is in the group: the last of a pipeline may be the one that reads. All of it comes from /proc, some 10 µs a file.
 */
import { closeSync, openSync, readSync } from "node:fs";
import { isTerminalFile } from "../linux/open-file.ts";
import { type BlockedIn, parseSyscall } from "../linux/parse-syscall.ts";
import { readKernelFile, readShortProcFile } from "../linux/proc-file.ts";
import { type ProcessEntry, parseStat, readChildren, readProcess, readThreads } from "../linux/processes.ts";
import { innerTerminal } from "./inner-terminal.ts";

interface TerminalReader {
  readonly pid: number;
  readonly call: BlockedIn["call"];
  /** How often its thread has run. As long as that does not change, the thread has not moved. */
  readonly runs: string;
  /** All that the kernel says of the call it is blocked in; undefined where that is not known. */
  readonly place?: string;
  /** Who stands between it and the terminal, and how often that has run: it may still have output to pass on. */
  readonly relay?: string;
}

/** A reader as it was found, so that it can be asked whether it still is where it was. */
export interface FoundReader extends TerminalReader {
  readonly thread: number;
  readonly place: string;
}

/** `unknown`: /proc does not tell us, because the process is another user's or the kernel keeps no account. */
export type ReaderVerdict = TerminalReader | "none" | "unknown";

export interface TerminalOf {
  readonly program: number;
  readonly foregroundGroup: number;
  /** Where the program's side of the terminal is. */
  readonly path: string;
}

/** A build with hundreds of processes is not waiting for a key. */
const MOST_PROCESSES = 32;
const MOST_THREADS = 64;
/** POLLIN and POLLRDNORM, which is the same for a terminal; epoll has the same numbers. */
const READABLE = 0x41;
const POLLFD_BYTES = 8;

type Found = FoundReader | "none" | "unknown";

export function findReader(terminal: TerminalOf): Found {
  let verdict: Found = "none";
  for (const entry of candidates(terminal)) {
    const found = readerIn(entry, terminal.path);
    if (typeof found === "object") return found;
    if (found === "unknown") verdict = "unknown";
  }
  return verdict;
}

/**
 * Whether it has run since it was found, or is about to: a signal or a key has woken it, and it only waits for a
 * processor. The kernel then lists it as running (R), though for a moment still in its call.
 */
export function hasMoved({ pid, thread, runs, place }: FoundReader): boolean {
  const folder = `/proc/${pid}/task/${thread}`;
  if (readShortProcFile(`${folder}/syscall`) !== place) return true;
  const isAsleep = parseStat(readShortProcFile(`${folder}/stat`) ?? "")?.state === "S";
  return !isAsleep || `${thread} ${countRuns(pid, thread)}` !== runs;
}

/** How often the thread has run by now; undefined when it is gone. */
function countRuns(pid: number, thread: number): string | undefined {
  return readShortProcFile(`/proc/${pid}/task/${thread}/schedstat`)?.split(" ", 3)[2]?.trim();
}

function* candidates({ program, foregroundGroup }: TerminalOf): Generator<ProcessEntry> {
  const leader = readProcess(foregroundGroup);
  if (leader) yield leader;
  let left = MOST_PROCESSES;
  for (const entry of descendants(program === foregroundGroup ? leader : readProcess(program))) {
    if (left <= 0) return;
    left -= 1;
    if (entry.pid !== foregroundGroup && entry.group === foregroundGroup) yield entry;
  }
}

/** The latest first: what is in the foreground was most likely started last. */
function* descendants(entry: ProcessEntry | undefined): Generator<ProcessEntry> {
  if (!entry) return;
  yield entry;
  for (const child of readChildren(entry).reverse()) yield* descendants(readProcess(child));
}

function readerIn(entry: ProcessEntry, path: string): Found {
  // A program that was stopped in its read is still listed there, and reads nothing.
  if (entry.state === "T" || entry.state === "t") return "none";
  const { pid } = entry;
  // One that runs waits for nothing: a file less to read of a program that is busy.
  const main = entry.state === "R" ? "none" : threadReader(pid, pid, path);
  if (main !== "none" || entry.threads <= 1) return main;
  for (const thread of otherThreads(pid)) {
    const found = threadReader(pid, thread, path);
    if (found !== "none") return found;
  }
  return "none";
}

function threadReader(pid: number, thread: number, path: string): Found {
  const folder = `/proc/${pid}/task/${thread}`;
  const place = readShortProcFile(`${folder}/syscall`);
  if (place === undefined) return readProcess(pid) === undefined ? "none" : "unknown";
  const blocked = parseSyscall(place, process.arch);
  const files = blocked ? filesOf(folder, blocked) : [];
  // Asked of the thread: once the main thread has ended, the process shows neither files nor memory.
  if (!blocked || !files.some((fd) => isTerminalFile(`${folder}/fd/${fd}`, path))) return "none";
  const inner = files.length > 1 ? innerTerminal(folder, files) : undefined;
  const runs = countRuns(pid, thread);
  if (inner !== undefined && inner !== path) {
    const below = readerBelow(pid, inner);
    return typeof below === "object" ? { ...below, relay: `${pid} ${runs}` } : below;
  }
  return runs === undefined ? "unknown" : { pid, thread, place, call: blocked.call, runs: `${thread} ${runs}` };
}

/** Who waits for the terminal that the process has opened for another program. */
function readerBelow(pid: number, path: string): Found {
  let left = MOST_PROCESSES;
  for (const entry of descendants(readProcess(pid))) {
    if (left <= 0) break;
    left -= 1;
    const found = entry.pid === pid ? "none" : readerIn(entry, path);
    if (found !== "none") return found;
  }
  return "none";
}

function filesOf(thread: string, blocked: BlockedIn): number[] {
  switch (blocked.call) {
    case "read":
      return [blocked.fd];
    case "poll":
      return polledFiles(readMemory(thread, blocked.at, blocked.count * POLLFD_BYTES));
    case "select":
      return selectedFiles(readMemory(thread, blocked.at, Math.ceil(blocked.count / 64) * 8), blocked.count);
    case "epoll":
      return epollFiles(readKernelFile(`${thread}/fdinfo/${blocked.fd}`) ?? "");
  }
}

/** struct pollfd: the file as an int, then what is waited for as a short. */
export function polledFiles(memory: Buffer): number[] {
  const files: number[] = [];
  for (let at = 0; at + POLLFD_BYTES <= memory.length; at += POLLFD_BYTES) {
    if ((memory.readInt16LE(at + 4) & READABLE) !== 0) files.push(memory.readInt32LE(at));
  }
  return files;
}

/** fd_set: a bit a file, the lowest first. */
export function selectedFiles(memory: Buffer, count: number): number[] {
  const files = Array.from({ length: Math.min(count, memory.length * 8) }, (_, fd) => fd);
  return files.filter((fd) => ((memory[fd >> 3] ?? 0) & (1 << (fd & 7))) !== 0);
}

/** Lines such as "tfd:        0 events:       19 data: …", the events in hexadecimal. */
export function epollFiles(fdinfo: string): number[] {
  const lines = fdinfo.matchAll(/^tfd:\s*(\d+)\s+events:\s*([0-9a-f]+)/gm);
  return [...lines]
    .filter(([, , events]) => (Number.parseInt(events ?? "0", 16) & READABLE) !== 0)
    .map(([, fd]) => Number(fd));
}

function otherThreads(pid: number): number[] {
  return readThreads(pid)
    .filter((thread) => thread !== pid)
    .slice(0, MOST_THREADS);
}

function readMemory(thread: string, at: bigint, bytes: number): Buffer {
  if (at === 0n || bytes === 0) return Buffer.alloc(0);
  const memory = Buffer.alloc(bytes);
  try {
    const file = openSync(`${thread}/mem`, "r");
    try {
      return memory.subarray(0, readSync(file, memory, 0, bytes, at));
    } finally {
      closeSync(file);
    }
  } catch {
    return Buffer.alloc(0);
  }
}
