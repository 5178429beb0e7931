/**
 * The thread that starts the programs of one sandbox. The kernel restricts threads, so this one restricts itself, and
 * everything it starts from then on is restricted, too. The rest of the process is not. For the kernel this thread is
 * one of the programs that it starts, so they could signal and trace it, and with it this process. That is refused.
 */
import { readlinkSync } from "node:fs";
import { basename } from "node:path";
import { type MessagePort, workerData } from "node:worker_threads";
import { LimpetError } from "../../base/limpet-error.ts";
import { type Restriction, restrictThread } from "../../linux/restrict/landlock.ts";
import {
  dropCapabilities,
  filterProgram,
  filterThread,
  hideMemory,
  thisProcessor,
} from "../../linux/restrict/syscall-filter.ts";
import { findProgram, requireDirectory } from "../../pty/find-program.ts";
import { type SpawnOptions, type Stdio, spawnProgram } from "../../pty/spawn-program.ts";
import { enteringCommand } from "./namespaces/entering-command.ts";
import { type Entrance, type Keeper, startKeeper } from "./namespaces/start-keeper.ts";
import { guardThread } from "./refused-calls.ts";

export interface WorkerSetup {
  readonly restriction: Restriction;
  readonly filter: Uint8Array;
  /** The namespaces in which programs run; undefined: those of this process. */
  readonly entrance: Entrance | undefined;
  readonly port: MessagePort;
  /** Counts the answers to requests. */
  readonly answered: Int32Array;
}

export interface SpawnRequest {
  readonly options: SpawnOptions;
  readonly stdio: Stdio;
  readonly group: number | undefined;
}

export type SpawnAnswer =
  | { readonly kind: "started"; readonly pid: number }
  | { readonly kind: "ready"; readonly keeper?: Keeper | undefined }
  | { readonly kind: "failed"; readonly code: LimpetError["code"]; readonly message: string };

const { restriction, filter, entrance, port, answered } = workerData as WorkerSetup;
let keeper: Keeper | undefined;

port.postMessage(outcomeOf(restrict));
port.on("message", ({ options, stdio, group }: SpawnRequest) => {
  port.postMessage(outcomeOf(() => ({ kind: "started", pid: spawnProgram(entering(options), stdio, group) })));
  // The other thread sleeps until then.
  Atomics.add(answered, 0, 1);
  Atomics.notify(answered, 0);
});

function restrict(): SpawnAnswer {
  const thread = Number(basename(readlinkSync("/proc/thread-self")));
  hideMemory();
  dropCapabilities();
  restrictThread(restriction);
  filterThread(Buffer.from(filter));
  filterThread(filterProgram(guardThread(thread, process.arch), thisProcessor()));
  keeper = entrance && startKeeper(entrance);
  return { kind: "ready", keeper };
}

/** Errors about the program and its directory are found before anything is started. */
function entering(options: SpawnOptions): SpawnOptions {
  if (!entrance || !keeper) return options;
  requireDirectory(options.cwd);
  const path = options.env["PATH"];
  const file = findProgram(options.program, { cwd: options.cwd, path });
  return enteringCommand({ ...options, program: path === undefined ? file : options.program }, keeper.pid, entrance);
}

function outcomeOf(act: () => SpawnAnswer): SpawnAnswer {
  try {
    return act();
  } catch (error) {
    const code = error instanceof LimpetError ? error.code : "SPAWN_FAILED";
    return { kind: "failed", code, message: error instanceof Error ? error.message : String(error) };
  }
}
