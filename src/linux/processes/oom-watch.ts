/**
 * Detects that the kernel killed a process for lack of memory while a program ran.
 *
 * The kernel counts these kills: of the whole machine in /proc/vmstat, and of a control group in `memory.events`. It
 * names the process only in its log, which most users may not read. So a program that ended with SIGKILL counts as
 * killed for lack of memory if both counters have grown since its start.
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { lazy } from "../../base/async/lazy.ts";
import type { Exit } from "../../base/exit.ts";
import { ownGroupPath } from "../cgroup.ts";
import { readKernelFile } from "../proc-file.ts";

/** The code that a shell reports for a command that SIGKILL ended: 128 + 9. */
const KILLED_CODE = 137;
/**
 * On a processor that it shares with this process, a new program runs only when this process rests. It needs longer
 * than this to use up the memory.
 */
const READ_AFTER_MS = 2;
/** From this time after the start on, a program may have been killed before the counters were read. */
const LATE_MS = 10;

interface KillCounts {
  readonly machine: number;
  /** Undefined if no control group of this process counts them. */
  readonly group: number | undefined;
}

export class OomWatch {
  #before: KillCounts;

  /** Reads the counters in a moment, so that the start of a program does not wait for it. */
  constructor() {
    const startedMs = performance.now();
    const earlier = latest ?? readCounts();
    this.#before = earlier;
    setTimeout(() => {
      const read = recentCounts();
      this.#before = countsBefore({ earlier, read, readAfterMs: performance.now() - startedMs });
    }, READ_AFTER_MS).unref();
  }

  /** `exit` with a note if the kernel ended it for lack of memory. */
  explain(exit: Exit): Exit {
    return exit.kind !== "lost" && isKill(exit) && this.#hasKilled() ? { ...exit, outOfMemory: true } : exit;
  }

  /** For an exit code that a shell has reported. */
  explainsCode(code: number | null): boolean {
    return code === KILLED_CODE && this.#hasKilled();
  }

  #hasKilled(): boolean {
    return hasGrown(this.#before, readCounts());
  }
}

function isKill(exit: Exit): boolean {
  return exit.kind === "signal" ? exit.signal === "SIGKILL" : exit.kind === "code" && exit.code === KILLED_CODE;
}

interface Readings {
  /** The last one before the start, however long before. */
  readonly earlier: KillCounts;
  readonly read: KillCounts;
  readonly readAfterMs: number;
}

/** What counts as the state at the start of a program: where this process got no time to read, an earlier one. Pure. */
export function countsBefore({ earlier, read, readAfterMs }: Readings): KillCounts {
  return readAfterMs < LATE_MS ? read : earlier;
}

/** Whether both counters have grown. The count of the group excludes kills elsewhere on the machine. Pure. */
export function hasGrown(before: KillCounts, after: KillCounts): boolean {
  const isOurs = before.group === undefined || after.group === undefined || after.group > before.group;
  return after.machine > before.machine && isOurs;
}

/** What was read last. */
let latest: KillCounts | undefined;
/** The same within one turn of the event loop. */
let recent: KillCounts | undefined;

/**
 * Programs that start at the same time share one reading. An older reading would include kills from before their start.
 */
function recentCounts(): KillCounts {
  if (!recent) {
    recent = readCounts();
    setImmediate(() => {
      recent = undefined;
    }).unref();
  }
  return recent;
}

function readCounts(): KillCounts {
  const file = groupCounter();
  latest = {
    machine: countIn(readKernelFile("/proc/vmstat")) ?? 0,
    group: file === undefined ? undefined : countIn(readKernelFile(file)),
  };
  return latest;
}

/**
 * Reads the count of the nearest control group of this process that accounts for memory. It includes the groups below.
 */
const groupCounter = lazy(() => {
  for (let path = ownGroupPath(); path !== undefined && path !== "/"; path = dirname(path)) {
    const file = join(path, "memory.events");
    if (existsSync(file)) return file;
  }
  return undefined;
});

function countIn(text: string | undefined): number | undefined {
  const count = /^oom_kill (\d+)$/m.exec(text ?? "")?.[1];
  return count === undefined ? undefined : Number(count);
}
