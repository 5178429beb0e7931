/** Measures how much a process and its descendants have worked so far, and whether they work now. */
import { readShortProcFile } from "../proc-file.ts";
import { type ProcessEntry, parseStat, readChildren, readProcess, readThreads } from "./processes.ts";

export interface Activity {
  /** Processor time so far. */
  readonly workMs: number;
  /** A thread runs, waits for a processor, or waits for a disk. */
  readonly isRunning: boolean;
  /** The call that the main thread is blocked in, and its stack pointer; empty while it runs. */
  readonly posture: string;
  /** Its descendants in the same kernel session, which excludes daemons and programs in other terminals. */
  readonly children: readonly number[];
}

const MOST_PROCESSES = 32;
const MOST_THREADS = 128;
const NS_PER_MS = 1_000_000;
const RUNNING = "RD";

/** Takes about 20 µs for each thread. */
export function readActivity(pid: number): Activity {
  const family = readFamily(pid);
  const folders = family
    .flatMap((entry) => threadsOf(entry).map((thread) => `/proc/${entry.pid}/task/${thread}`))
    .slice(0, MOST_THREADS);
  const work = folders.map((folder) => readWork(`${folder}/schedstat`));
  return {
    workMs: work.reduce((sum, ns) => sum + ns, 0) / NS_PER_MS,
    isRunning: folders.some((folder) => RUNNING.includes(readState(`${folder}/stat`))),
    posture: postureOf(readShortProcFile(`/proc/${pid}/syscall`) ?? ""),
    children: family.slice(1).map((entry) => entry.pid),
  };
}

function readFamily(pid: number): ProcessEntry[] {
  const first = readProcess(pid);
  const family = first ? [first] : [];
  for (const entry of family) {
    for (const child of readChildren(entry)) {
      const below = family.length < MOST_PROCESSES ? readProcess(child) : undefined;
      if (below && below.session === first?.session && below.state !== "Z") family.push(below);
    }
  }
  return family;
}

function threadsOf({ pid, threads }: ProcessEntry): readonly number[] {
  return threads <= 1 ? [pid] : readThreads(pid);
}

/** The first number: nanoseconds on a processor. */
function readWork(path: string): number {
  return Number((readShortProcFile(path) ?? "").split(" ", 1)[0] ?? 0);
}

/** A thread that has ended does not run. */
function readState(path: string): string {
  return parseStat(readShortProcFile(path) ?? "")?.state ?? "X";
}

/** Pure: the number of the call and the stack pointer, which comes after six arguments. */
export function postureOf(syscall: string): string {
  const fields = syscall.trim().split(" ");
  return fields.length < 9 ? "" : `${fields[0]} ${fields[7]}`;
}
