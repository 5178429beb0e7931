/**
 * Finds the program that a container client, such as `docker exec -it`, started for its terminal. A container on this
 * machine shares its kernel, so its programs can be observed like any other.
 *
 * Nothing connects the two processes: the engine starts the program, not the client. So it must have started right
 * after the client, lead a session with a terminal in another process namespace, and have the arguments at the end of
 * the client's. If two programs match, the one whose parent belongs to the client's engine is chosen. If that holds for
 * both or neither, none is chosen.
 */

import { readdirSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { openFile } from "../../linux/files/open-file.ts";
import { readKernelFile } from "../../linux/proc-file.ts";
import { type ProcessEntry, readProcess } from "../../linux/processes/processes.ts";
import { withSpareDescriptor } from "../../linux/spare-descriptor.ts";

const CLIENTS: ReadonlySet<string> = new Set(["docker", "podman", "nerdctl"]);
/** The kernel's name of the process that is the parent of programs, for each client. */
const KEEPERS: Readonly<Record<string, string>> = {
  docker: "containerd-shim",
  nerdctl: "containerd-shim",
  podman: "conmon",
};
const PROCESSES_PER_TURN = 100;
/**
 * In clock ticks, a hundred per second. If an engine has to pull an image first, it takes longer, and the program is
 * not found.
 */
const LATEST_TICKS = 3_000;

export function isContainerClient(name: string): boolean {
  return CLIENTS.has(name);
}

/** The pid of the program on this machine; undefined if none or several match. */
export async function findContainerProgram(client: number): Promise<number | undefined> {
  const started = readProcess(client);
  if (!started) return undefined;
  const own = openFile(`/proc/${client}/ns/pid`);
  const args = readArgs(client);
  const found: ProcessEntry[] = [];
  let seen = 0;
  for (const name of withSpareDescriptor(() => readdirSync("/proc"))) {
    const entry = /^\d+$/.test(name) ? readProcess(Number(name)) : undefined;
    seen += 1;
    if (seen % PROCESSES_PER_TURN === 0) await nextTurn();
    if (!entry || !isStartedBy(entry, started)) continue;
    const namespace = openFile(`/proc/${entry.pid}/ns/pid`);
    if (namespace === undefined || namespace === own || !endsWith(args, readArgs(entry.pid))) continue;
    found.push(entry);
  }
  return chooseProgram(started.name, found, (pid) => readProcess(pid)?.name)?.pid;
}

/** The only candidate, or the only one whose parent belongs to the client's engine. Pure. */
export function chooseProgram(
  client: string,
  found: readonly ProcessEntry[],
  nameOf: (pid: number) => string | undefined,
): ProcessEntry | undefined {
  if (found.length < 2) return found[0];
  const kept = found.filter(({ parent }) => nameOf(parent) === KEEPERS[client]);
  return kept.length === 1 ? kept[0] : undefined;
}

/** Whether the process leads a session with a terminal and started soon after the client. Pure. */
function isStartedBy({ pid, session, terminal, startTime }: ProcessEntry, client: ProcessEntry): boolean {
  const ticks = Number(startTime) - Number(client.startTime);
  return pid === session && terminal !== 0 && ticks >= 0 && ticks <= LATEST_TICKS;
}

/** Pure: whether the last arguments are these. */
export function endsWith(args: readonly string[], last: readonly string[]): boolean {
  const from = args.length - last.length;
  return last.length > 0 && from > 0 && last.every((arg, index) => args[from + index] === arg);
}

function readArgs(pid: number): string[] {
  return (readKernelFile(`/proc/${pid}/cmdline`) ?? "").split("\0").slice(0, -1);
}
