/**
 * Ends what the sessions of a killed host have left running: everything in their control groups, and every process that
 * bears their mark or belongs to a program that is still the same one. limpet never relies on a pid alone. Then deletes
 * the files of their shells.
 */
import { constants } from "node:os";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { membersOf, signalProcess } from "../../linux/processes/process-tree.ts";
import { listProcesses, type MarkedProcess, type ProcessEntry } from "../../linux/processes/processes.ts";
import { endStaleGroups } from "../../pty/group-root.ts";
import { sweepShellFiles } from "../../shell/frame/sweep-shell-files.ts";
import type { SessionRecord } from "./session-record.ts";

/** Their terminals were hung up when the host died. This is time for processes that clean up. */
const GRACE_MS = 300;
/** After this, only processes that the kernel cannot end are left. */
const PATIENCE_MS = 3_000;
const LOOK_EVERY_MS = 20;

/** Resolves with what it has found alive. */
export async function killLeftovers(records: readonly SessionRecord[]): Promise<readonly ProcessEntry[]> {
  const groups = records.map(({ trace }) => trace?.group).filter((group) => group !== undefined);
  const found = new Map<string, ProcessEntry>();
  const startedMs = performance.now();
  for (;;) {
    const ageMs = performance.now() - startedMs;
    const all = await listProcesses();
    for (const entry of leftoversAmong(all, records)) found.set(keyOf(entry), entry);
    // Once the program has ended, a search no longer finds its members, which may live a moment longer. So all that
    // were found are kept.
    const alive = new Set(all.map(keyOf));
    const left = [...found.values()].filter((entry) => alive.has(keyOf(entry)));
    if (left.length === 0 || ageMs > PATIENCE_MS) break;
    const signal = ageMs < GRACE_MS ? constants.signals.SIGTERM : constants.signals.SIGKILL;
    for (const entry of left) {
      signalProcess(entry, signal);
      signalProcess(entry, constants.signals.SIGCONT);
    }
    await sleep(LOOK_EVERY_MS);
  }
  // Those that have cleared their environment and left their session are found only here.
  for (const parent of new Set(groups.map((group) => dirname(dirname(group))))) endStaleGroups(parent);
  await sweepShellFiles();
  return [...found.values()];
}

function keyOf({ pid, startTime }: ProcessEntry): string {
  return `${pid} ${startTime}`;
}

/** Pure: the processes that belong to these sessions. */
export function leftoversAmong(all: readonly MarkedProcess[], records: readonly SessionRecord[]): ProcessEntry[] {
  const found = new Map<number, ProcessEntry>();
  for (const { mark, trace } of records) {
    const program = trace && all.find(({ pid }) => pid === trace.pid);
    const session = program && program.startTime === trace.startTime ? trace.pid : undefined;
    for (const entry of membersOf(all, { session, mark })) found.set(entry.pid, entry);
  }
  return [...found.values()];
}
