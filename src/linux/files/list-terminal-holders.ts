/** Lists processes that have terminals open which do not control them: a pinentry, the server of tmux. */
import { readdirSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { readProcess } from "../processes/processes.ts";
import { withSpareDescriptor } from "../spare-descriptor.ts";
import { openFile } from "./open-file.ts";

/** Pids by the path of the terminal. */
type Holders = ReadonlyMap<string, readonly number[]>;

/** A search yields to the event loop after this many processes, about 2 ms. */
const PROCESSES_PER_TURN = 50;
/** Programs open their terminal early. A server with thousands of connections does not hold one. */
const MOST_FILES = 256;

let searching: Promise<Holders> | undefined;

/** Concurrent callers share one search: all terminals of the machine cost as much as one. */
export function listTerminalHolders(): Promise<Holders> {
  searching ??= search().finally(() => {
    searching = undefined;
  });
  return searching;
}

async function search(): Promise<Holders> {
  const holders = new Map<string, number[]>();
  let seen = 0;
  for (const name of withSpareDescriptor(() => readdirSync("/proc"))) {
    const pid = Number(name);
    // This process has the terminals of all its sessions open.
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    for (const path of heldTerminals(pid)) holders.set(path, [...(holders.get(path) ?? []), pid]);
    seen += 1;
    if (seen % PROCESSES_PER_TURN === 0) await nextTurn();
  }
  return holders;
}

/** Empty for processes that have a controlling terminal: what they may read depends on that one. */
function heldTerminals(pid: number): ReadonlySet<string> {
  if (readProcess(pid)?.terminal !== 0) return new Set();
  try {
    const files = readdirSync(`/proc/${pid}/fd`).slice(0, MOST_FILES);
    return new Set(
      files.map((fd) => openFile(`/proc/${pid}/fd/${fd}`) ?? "").filter((path) => path.startsWith("/dev/pts/")),
    );
  } catch {
    return new Set();
  }
}
