/** The processes of this machine, as /proc shows them. */
import { readdirSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { readKernelFile, readShortProcFile } from "./proc-file.ts";
import { withSpareDescriptor } from "./spare-descriptor.ts";

/** A walk lets others run after this many processes, some 5 ms. */
const PROCESSES_PER_TURN = 150;
/** The variable by which a program and all that it starts can be told to belong to one session. */
export const MARK_VARIABLE = "LIMPET_SESSION_MARK";

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** What the kernel calls the program: at most 15 characters. */
  readonly name: string;
  /** One letter: R running, S sleeping, T stopped, Z zombie … */
  readonly state: string;
  readonly threads: number;
  /** Clock ticks since boot. Together with the pid it names one process for good; a pid alone is reused. */
  readonly startTime: string;
}

/** Undefined when the process is gone. */
export function readProcess(pid: number): ProcessEntry | undefined {
  const stat = readShortProcFile(`/proc/${pid}/stat`);
  return stat === undefined ? undefined : parseStat(stat);
}

/** A process and the session mark in its environment; undefined where it has none or we may not look. */
export interface MarkedProcess extends ProcessEntry {
  readonly mark: string | undefined;
}

let walking: Promise<MarkedProcess[]> | undefined;
let nextWalk: Promise<MarkedProcess[]> | undefined;

/**
 * All processes but zombies, as they are after this call: many callers at once share a walk, but never one that
 * began before they asked.
 */
export function listProcesses(): Promise<MarkedProcess[]> {
  if (!walking) {
    walking = walk().finally(() => {
      walking = undefined;
    });
    return walking;
  }
  nextWalk ??= walking
    .catch(() => undefined)
    .then(() => {
      nextWalk = undefined;
      return listProcesses();
    });
  return nextWalk;
}

/** In this turn: for the end of this process, when there is no other. */
export function listProcessesNow(): MarkedProcess[] {
  return [...readMarked()].filter((entry) => entry !== undefined);
}

async function walk(): Promise<MarkedProcess[]> {
  const found: MarkedProcess[] = [];
  let looked = 0;
  for (const entry of readMarked()) {
    if (entry) found.push(entry);
    looked += 1;
    if (looked % PROCESSES_PER_TURN === 0) await nextTurn();
  }
  return found;
}

/** Undefined for what is no process, is gone by now, or is a zombie. */
function* readMarked(): Generator<MarkedProcess | undefined> {
  for (const name of withSpareDescriptor(() => readdirSync("/proc"))) {
    const pid = Number(name);
    const entry = Number.isInteger(pid) ? readProcess(pid) : undefined;
    yield entry && entry.state !== "Z" ? { ...entry, mark: readMark(pid) } : undefined;
  }
}

function readMark(pid: number): string | undefined {
  const before = `\0${MARK_VARIABLE}=`;
  const environ = `\0${readKernelFile(`/proc/${pid}/environ`) ?? ""}`;
  const at = environ.indexOf(before);
  return at < 0 ? undefined : environ.slice(at + before.length, environ.indexOf("\0", at + before.length));
}

/** In order of their start, thread by thread: the kernel lists a child under the thread that started it. */
export function readChildren({ pid, threads }: Pick<ProcessEntry, "pid" | "threads">): number[] {
  const starters = threads <= 1 ? [pid] : readThreads(pid);
  return starters.flatMap((thread) => parsePids(readShortProcFile(`/proc/${pid}/task/${thread}/children`) ?? ""));
}

/** The first is the main thread. Empty when the process is gone. */
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

/** The name stands in parentheses and may itself hold spaces and parentheses: the last `)` ends it. */
export function parseStat(stat: string): ProcessEntry | undefined {
  const open = stat.indexOf("(");
  const close = stat.lastIndexOf(")");
  const fields = stat.slice(close + 2).split(" ", 20);
  const [state, parent, group, session] = fields;
  const threads = Number(fields[17]);
  const startTime = fields[19];
  if (open < 0 || close < open || state === undefined || startTime === undefined) return undefined;
  return {
    pid: Number(stat.slice(0, open)),
    name: stat.slice(open + 1, close),
    // The main thread may end before the others: it is listed as a zombie, and the process lives.
    state: state === "Z" && threads > 1 ? "S" : state,
    threads,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    startTime,
  };
}
