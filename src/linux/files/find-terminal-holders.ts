/**
 * Finds processes that have a terminal open that is not their controlling terminal, such as a pinentry or the server of
 * tmux.
 */
import { readdirSync, statSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { readProcess } from "../processes/processes.ts";
import { withSpareDescriptor } from "../spare-descriptor.ts";
import { openFile } from "./open-file.ts";

/**
 * Pids by the device and inode of the terminal. Its path is not unique: /dev/pts/3 in a container is another terminal.
 */
type Holders = ReadonlyMap<string, readonly number[]>;

/** A search yields to the event loop after this many processes, about 2 ms. */
const PROCESSES_PER_TURN = 50;
/**
 * Programs open their terminal early, so only the first files are checked. A server may have thousands of connections.
 */
const MOST_FILES = 256;

let searching: Promise<Holders> | undefined;

/** Concurrent callers share one search, because searching for all terminals costs as much as searching for one. */
export async function findTerminalHolders(path: string): Promise<readonly number[]> {
  const terminal = identify(path);
  if (terminal === undefined) return [];
  searching ??= search().finally(() => {
    searching = undefined;
  });
  return (await searching).get(terminal) ?? [];
}

async function search(): Promise<Holders> {
  const holders = new Map<string, number[]>();
  let seen = 0;
  for (const name of withSpareDescriptor(() => readdirSync("/proc"))) {
    const pid = Number(name);
    // This process has the terminals of all its sessions open.
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    for (const terminal of heldTerminals(pid)) holders.set(terminal, [...(holders.get(terminal) ?? []), pid]);
    seen += 1;
    if (seen % PROCESSES_PER_TURN === 0) await nextTurn();
  }
  return holders;
}

/** Empty for a process with a controlling terminal: what it may read depends on that terminal. */
function heldTerminals(pid: number): ReadonlySet<string> {
  if (readProcess(pid)?.terminal !== 0) return new Set();
  try {
    const links = readdirSync(`/proc/${pid}/fd`)
      .slice(0, MOST_FILES)
      .map((fd) => `/proc/${pid}/fd/${fd}`);
    const terminals = links.filter((link) => openFile(link)?.startsWith("/dev/pts/")).map(identify);
    return new Set(terminals.filter((terminal) => terminal !== undefined));
  } catch {
    return new Set();
  }
}

/** Undefined if the file is gone. */
function identify(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path);
    return `${dev} ${ino}`;
  } catch {
    return undefined;
  }
}
