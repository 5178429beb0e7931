/**
 * Finds the process that is blocked waiting for the terminal's input. All data comes from /proc, at about 10 µs per
 * file.
 */
import { isTerminalFile, openFile, terminalPath } from "../../linux/files/open-file.ts";
import { type BlockedIn, parseSyscall } from "../../linux/parse-syscall.ts";
import { readShortProcFile } from "../../linux/proc-file.ts";
import { countRuns } from "../../linux/processes/count-runs.ts";
import { type ProcessEntry, parseStat, readProcess, readThreads } from "../../linux/processes/processes.ts";
import { type FileKind, readFileKind } from "../file-kind.ts";
import { readWaitSet } from "../wait-set.ts";
import { isContainerClient } from "./find-container-program.ts";
import { hasSizeOf, innerTerminals } from "./inner-terminals.ts";
import { isRelayClient } from "./is-relay-client.ts";
import { isControlledBy, possibleReaders, processesBelow, type TerminalOf } from "./possible-readers.ts";
import type { ReadersElsewhere } from "./readers-elsewhere.ts";

interface TerminalReader {
  readonly pid: number;
  /** The kernel's name for its program, at most 15 characters. */
  readonly name: string;
  readonly call: BlockedIn["call"];
  /** The thread that waits; undefined if not known. The main thread has the number of the process. */
  readonly thread?: number;
  /** How often its thread has run. If this is unchanged, the thread has not run in between. */
  readonly runs: string;
  /** The number of threads of its process. Others may work while this one waits. */
  readonly threads: number;
  /** The kinds of other files that would end its call. */
  readonly others: readonly FileKind[];
  /** The timeout of its call; undefined if it has none. */
  readonly timeoutMs?: number | undefined;
  /** The kernel's description of the call that blocks it; undefined if not known. */
  readonly syscall?: string;
  /** The relay between it and the terminal, and how often the relay has run: it may still have output to pass on. */
  readonly relay?: string;
  /** The terminal that it reads, if it is behind a relay. */
  readonly innerPath?: string;
  /** It runs in a container, so its output passes through several processes. */
  readonly isContained?: boolean;
  /** Only for a reader in a container: the part of `relay` that is inside the container. */
  readonly relayInside?: string;
  /** It passes keys on to a program that is not visible on this machine. */
  readonly isFar?: boolean;
  /** Only for the client of a container: when limpet last searched for its program, which may be on this machine. */
  readonly searchedMs?: number;
}

/** A reader with what is needed to check later whether it has run since. */
export interface FoundReader extends TerminalReader {
  readonly thread: number;
  readonly syscall: string;
}

/**
 * `unknown`: /proc does not show the reader, because the process belongs to another user or the kernel has no
 * accounting.
 */
export type ReaderVerdict = TerminalReader | "none" | "unknown";

const MOST_THREADS = 64;

type Found = FoundReader | "none" | "unknown";

type Elsewhere = Pick<ReadersElsewhere, "programBehind" | "searchedMs">;

export function findReader(terminal: TerminalOf, elsewhere: Elsewhere): Found {
  let verdict: Found = "none";
  for (const entry of possibleReaders(terminal)) {
    const found = behindClient(readerIn(entry, terminal), elsewhere);
    if (typeof found === "object") return found;
    if (found === "unknown") verdict = "unknown";
  }
  return verdict;
}

/** Whether the process waits for the terminal's input. */
export function isReading(entry: ProcessEntry, path: string): boolean {
  return typeof readerIn(entry, { path }) === "object";
}

/**
 * Whether the reader has run since it was found, or is about to run. A thread woken by a signal or key may still wait
 * for a processor: the kernel then shows it as running (R), although still in its call.
 */
export function hasMoved({ pid, thread, runs, syscall }: FoundReader): boolean {
  const folder = `/proc/${pid}/task/${thread}`;
  if (readShortProcFile(`${folder}/syscall`) !== syscall) return true;
  return !isAsleep(folder) || `${thread} ${countRuns(pid, thread)}` !== runs;
}

type Terminal = Pick<TerminalOf, "path" | "size">;

function readerIn(entry: ProcessEntry, terminal: Terminal): Found {
  // A program that was stopped in a read is still shown in that read, but does not read.
  if (entry.state === "T" || entry.state === "t") return "none";
  const { pid } = entry;
  // A running program waits for nothing. Skipping it saves one file for busy programs.
  const main = entry.state === "R" ? "none" : threadReader(entry, pid, terminal);
  if (main !== "none" || entry.threads <= 1) return main;
  for (const thread of otherThreads(pid)) {
    const found = threadReader(entry, thread, terminal);
    if (found !== "none") return found;
  }
  return "none";
}

function threadReader(entry: ProcessEntry, thread: number, { path, size }: Terminal): Found {
  const { pid, name, threads } = entry;
  const folder = `/proc/${pid}/task/${thread}`;
  const syscall = readShortProcFile(`${folder}/syscall`);
  if (syscall === undefined) return hasEnded(folder) ? "none" : "unknown";
  const blocked = parseSyscall(syscall, process.arch);
  if (!blocked) return "none";
  const { files, timeoutMs } = readWaitSet(folder, blocked);
  // Read per thread: once the main thread has ended, the process shows neither files nor memory.
  const isControlling = isControlledBy(entry, path);
  const others = files.filter((fd) => !isTerminalFile(`${folder}/fd/${fd}`, path, isControlling));
  if (others.length === files.length) return "none";
  const runs = countRuns(pid, thread);
  const kinds = others.map((fd) => readFileKind(pid, openFile(`${folder}/fd/${fd}`) ?? ""));
  const isClient = isRelayClient(name, kinds, threads);
  const inner = innerTerminals(folder, others).filter(
    (each) => each !== path && (isClient || !size || hasSizeOf(`/proc/${pid}/root`, each, size)),
  );
  const [only] = inner;
  if (only !== undefined && inner.length === 1) {
    const relay = restingRelay(entry);
    if (relay === undefined) return "none";
    const below = readerBelow(pid, only);
    if (typeof below !== "object") return below;
    return { ...below, relay: `${relay} ${below.relay ?? ""}`, innerPath: below.innerPath ?? only };
  }
  if (runs === undefined) return "unknown";
  const isFar = inner.length > 1 || isClient;
  const call = { call: blocked.call, syscall, timeoutMs, others: kinds, isFar };
  return { pid, name, thread, threads, runs: `${thread} ${runs}`, ...call };
}

/** Behind a client of a container on this machine, the reader is the program in the container. */
function behindClient(found: Found, elsewhere: Elsewhere): Found {
  if (typeof found !== "object" || !isContainerClient(found.name)) return found;
  const program = elsewhere.programBehind(found.pid);
  const entry = program === undefined ? undefined : readProcess(program);
  const path = entry && terminalPath(entry.terminal);
  if (!entry || path === undefined) return { ...found, searchedMs: elsewhere.searchedMs(found.pid) };
  const { pid, foregroundGroup } = entry;
  const inner = findReader({ program: pid, foregroundGroup, path }, NOBODY_ELSEWHERE);
  if (typeof inner !== "object") return inner;
  // A relay inside the container, such as `script`, has another terminal for its program.
  const contained = { isContained: true, relayInside: inner.relay ?? "", innerPath: inner.innerPath ?? path };
  return { ...inner, ...contained, relay: `${found.pid} ${found.runs} ${contained.relayInside}` };
}

const NOBODY_ELSEWHERE: Elsewhere = { programBehind: () => undefined, searchedMs: () => Number.POSITIVE_INFINITY };

/** The relay and how often its threads have run; undefined while one of them runs: it may be passing output on. */
function restingRelay({ pid, threads }: ProcessEntry): string | undefined {
  const all = threads <= 1 ? [pid] : readThreads(pid).slice(0, MOST_THREADS);
  const isResting = all.every((thread) => isAsleep(`/proc/${pid}/task/${thread}`));
  return isResting ? [pid, ...all.map((thread) => countRuns(pid, thread))].join(" ") : undefined;
}

/** While other threads of a process run, the kernel shows the call of an ended main thread only to root. */
function hasEnded(folder: string): boolean {
  const stat = readShortProcFile(`${folder}/stat`);
  return stat === undefined || stat.startsWith(") Z", stat.lastIndexOf(")"));
}

function isAsleep(folder: string): boolean {
  return parseStat(readShortProcFile(`${folder}/stat`) ?? "")?.state === "S";
}

/** Finds the process that waits for the inner terminal of a relay. */
function readerBelow(pid: number, path: string): Found {
  for (const entry of processesBelow(pid)) {
    const found = readerIn(entry, { path });
    if (found !== "none") return found;
  }
  return "none";
}

function otherThreads(pid: number): number[] {
  return readThreads(pid)
    .filter((thread) => thread !== pid)
    .slice(0, MOST_THREADS);
}
