/** The processes of this machine, read from /proc. */
import { readdirSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { readKernelFile, readShortProcFile } from "../proc-file.ts";
import { withSpareDescriptor } from "../spare-descriptor.ts";

/** A scan yields to the event loop after this many processes, about 5 ms. */
const PROCESSES_PER_TURN = 150;
/** The environment variable that marks a program and its descendants as members of one session. */
export const MARK_VARIABLE = "LIMPET_SESSION_MARK";

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** The device number of its controlling terminal; 0 if it has none. */
  readonly terminal: number;
  /** The foreground group of that terminal; -1 if it has none. */
  readonly foregroundGroup: number;
  /** The kernel's name for the program, at most 15 characters. */
  readonly name: string;
  /** One letter: R running, S sleeping, T stopped, Z zombie … */
  readonly state: string;
  readonly threads: number;
  /** The minor page faults of ended children that it waited for. The number grows with each such child. */
  readonly childFaults: number;
  /** Clock ticks since boot. Pid and start time together identify a process; a pid alone may be reused. */
  readonly startTime: string;
}

/** Undefined if the process does not exist. */
export function readProcess(pid: number): ProcessEntry | undefined {
  const stat = readShortProcFile(`/proc/${pid}/stat`);
  return stat === undefined ? undefined : parseStat(stat);
}

/** A process and the session mark in its environment; undefined if it has none or the environment is not readable. */
export interface MarkedProcess extends ProcessEntry {
  readonly mark: string | undefined;
}

/** Undefined if the process does not exist. */
export function readMarkedProcess(pid: number): MarkedProcess | undefined {
  const stat = readShortProcFile(`/proc/${pid}/stat`) ?? "";
  const entry = parseStat(stat);
  return entry && { ...entry, mark: readMark(pid, isHeadless(stat, entry) ? readThreads(pid).at(-1) : undefined) };
}

let scanning: Promise<MarkedProcess[]> | undefined;
let nextScan: Promise<MarkedProcess[]> | undefined;

/**
 * Lists all processes except zombies. Concurrent callers share a scan, but never one that started before their call.
 */
export function listProcesses(): Promise<MarkedProcess[]> {
  if (!scanning) {
    scanning = scan().finally(() => {
      scanning = undefined;
    });
    return scanning;
  }
  nextScan ??= scanning
    .catch(() => undefined)
    .then(() => {
      nextScan = undefined;
      return listProcesses();
    });
  return nextScan;
}

/** Like `listProcesses`, but synchronous, for example for the exit of this process. */
export function listProcessesNow(): MarkedProcess[] {
  return [...readMarked()].filter((entry) => entry !== undefined);
}

async function scan(): Promise<MarkedProcess[]> {
  const found: MarkedProcess[] = [];
  let seen = 0;
  for (const entry of readMarked()) {
    if (entry) found.push(entry);
    seen += 1;
    if (seen % PROCESSES_PER_TURN === 0) await nextTurn();
  }
  return found;
}

/** Yields undefined for entries that are not processes, have ended, or are zombies. */
function* readMarked(): Generator<MarkedProcess | undefined> {
  for (const name of withSpareDescriptor(() => readdirSync("/proc"))) {
    const pid = Number(name);
    const entry = Number.isInteger(pid) ? readMarkedProcess(pid) : undefined;
    yield entry?.state === "Z" ? undefined : entry;
  }
}

/** `thread`: another thread whose environment can be read, if that of the main thread cannot. */
function readMark(pid: number, thread: number | undefined): string | undefined {
  const before = `\0${MARK_VARIABLE}=`;
  const path = thread === undefined ? `/proc/${pid}/environ` : `/proc/${pid}/task/${thread}/environ`;
  const environ = `\0${readKernelFile(path) ?? ""}`;
  const at = environ.indexOf(before);
  return at < 0 ? undefined : environ.slice(at + before.length, environ.indexOf("\0", at + before.length));
}

/** Whether the main thread has ended before the others. Pure. */
function isHeadless(stat: string, { state, threads }: ProcessEntry): boolean {
  return threads > 1 && state === "S" && stat.startsWith("Z", stat.lastIndexOf(")") + 2);
}

/** Sorted by start time within each thread: the kernel lists a child under the thread that started it. */
export function readChildren({ pid, threads }: Pick<ProcessEntry, "pid" | "threads">): number[] {
  const starters = threads <= 1 ? [pid] : readThreads(pid);
  return starters.flatMap((thread) => parsePids(readShortProcFile(`/proc/${pid}/task/${thread}/children`) ?? ""));
}

/** The threads of a process, the main thread first. Empty if the process has ended. */
export function readThreads(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [];
  }
}

export function parsePids(text: string): number[] {
  return text.split(/\s+/).filter(Boolean).map(Number);
}

/** The name is in parentheses and may itself contain spaces and parentheses, so the last `)` ends it. */
export function parseStat(stat: string): ProcessEntry | undefined {
  const open = stat.indexOf("(");
  const close = stat.lastIndexOf(")");
  const fields = stat.slice(close + 2).split(" ", 20);
  const [state, parent, group, session, terminal, foregroundGroup] = fields;
  const threads = Number(fields[17]);
  const startTime = fields[19];
  if (open < 0 || close < open || state === undefined || startTime === undefined) return undefined;
  return {
    pid: Number(stat.slice(0, open)),
    name: stat.slice(open + 1, close),
    // The main thread may end before the others. The kernel then shows a zombie, but the process is alive.
    state: state === "Z" && threads > 1 ? "S" : state,
    threads,
    childFaults: Number(fields[8]),
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    terminal: Number(terminal),
    foregroundGroup: Number(foregroundGroup),
    startTime,
  };
}
