/**
 * Kills processes that the sessions of a killed host left running: everything in their control groups, every process
 * with their mark, and the members of a program that is still the same. Never trusts a pid alone, because pids are
 * reused.
 */
import { constants } from "node:os";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { membersOf, signalProcess } from "../../linux/process-tree.ts";
import { listProcesses, type MarkedProcess, type ProcessEntry } from "../../linux/processes.ts";
import { endStaleGroups } from "../../pty/start-in-group.ts";
import type { SessionRecord } from "./session-record.ts";

/** Time for programs to clean up. The kernel sent them SIGHUP when their host died. */
const GRACE_MS = 300;
/** After this time, only processes that the kernel cannot end are left. */
const PATIENCE_MS = 3_000;
const LIST_EVERY_MS = 20;

/** Resolves with the processes that were alive. */
export async function killLeftovers(records: readonly SessionRecord[]): Promise<readonly ProcessEntry[]> {
  const groups = records.map(({ trace }) => trace?.group).filter((group) => group !== undefined);
  const found = new Map<string, ProcessEntry>();
  const startedMs = performance.now();
  for (;;) {
    const ageMs = performance.now() - startedMs;
    const left = leftoversAmong(await listProcesses(), records);
    for (const entry of left) found.set(`${entry.pid} ${entry.startTime}`, entry);
    if (left.length === 0 || ageMs > PATIENCE_MS) break;
    const signal = ageMs < GRACE_MS ? constants.signals.SIGTERM : constants.signals.SIGKILL;
    for (const entry of left) {
      signalProcess(entry, signal);
      signalProcess(entry, constants.signals.SIGCONT);
    }
    await sleep(LIST_EVERY_MS);
  }
  // Finds processes that have cleared their environment and left their session.
  for (const parent of new Set(groups.map((group) => dirname(dirname(group))))) endStaleGroups(parent);
  return [...found.values()];
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
