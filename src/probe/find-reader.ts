/**
 * Finds the process that is blocked waiting for the terminal's input.
 *
 * Only the foreground group can read a terminal. Its leader is checked first, then all other descendants of the program
 * in that group, because the last program of a pipeline may be the reader. All data comes from /proc, at about 10 µs
 * per file.
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
  /** How often its thread has run. If this is unchanged, the thread has not run in between. */
  readonly runs: string;
  /** The kernel's description of the call that blocks it; undefined if not known. */
  readonly syscall?: string;
  /** The relay between it and the terminal, and how often the relay has run: it may still have output to pass on. */
  readonly relay?: string;
}

/** A reader with what is needed to check later whether it has run since. */
export interface FoundReader extends TerminalReader {
  readonly thread: number;
  readonly syscall: string;
}

/** `unknown`: /proc does not show it, because the process belongs to another user or the kernel has no accounting. */
export type ReaderVerdict = TerminalReader | "none" | "unknown";

export interface TerminalOf {
  readonly program: number;
  readonly foregroundGroup: number;
  /** The path of the program's side of the terminal. */
  readonly path: string;
}

/** A build with hundreds of processes does not wait for a key. */
const MOST_PROCESSES = 32;
const MOST_THREADS = 64;
/** POLLIN and POLLRDNORM, which are equivalent for a terminal. epoll uses the same numbers. */
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
 * Whether the reader has run since it was found, or is about to run. A thread woken by a signal or key may still wait
 * for a processor: the kernel then shows it as running (R), although still in its call.
 */
export function hasMoved({ pid, thread, runs, syscall }: FoundReader): boolean {
  const folder = `/proc/${pid}/task/${thread}`;
  if (readShortProcFile(`${folder}/syscall`) !== syscall) return true;
  const isAsleep = parseStat(readShortProcFile(`${folder}/stat`) ?? "")?.state === "S";
  return !isAsleep || `${thread} ${countRuns(pid, thread)}` !== runs;
}

/** How often the thread has run; undefined if it has ended. */
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

/** Latest child first: the foreground program was most likely started last. */
function* descendants(entry: ProcessEntry | undefined): Generator<ProcessEntry> {
  if (!entry) return;
  yield entry;
  for (const child of readChildren(entry).reverse()) yield* descendants(readProcess(child));
}

function readerIn(entry: ProcessEntry, path: string): Found {
  // A program that was stopped in a read is still shown in that read, but does not read.
  if (entry.state === "T" || entry.state === "t") return "none";
  const { pid } = entry;
  // A running program waits for nothing. Skipping it saves one file for busy programs.
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
  const syscall = readShortProcFile(`${folder}/syscall`);
  if (syscall === undefined) return readProcess(pid) === undefined ? "none" : "unknown";
  const blocked = parseSyscall(syscall, process.arch);
  const files = blocked ? filesOf(folder, blocked) : [];
  // Read per thread: once the main thread has ended, the process shows neither files nor memory.
  if (!blocked || !files.some((fd) => isTerminalFile(`${folder}/fd/${fd}`, path))) return "none";
  const inner = files.length > 1 ? innerTerminal(folder, files) : undefined;
  const runs = countRuns(pid, thread);
  if (inner !== undefined && inner !== path) {
    const below = readerBelow(pid, inner);
    return typeof below === "object" ? { ...below, relay: `${pid} ${runs}` } : below;
  }
  return runs === undefined ? "unknown" : { pid, thread, syscall, call: blocked.call, runs: `${thread} ${runs}` };
}

/** Finds the process that waits for the inner terminal of a relay. */
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
