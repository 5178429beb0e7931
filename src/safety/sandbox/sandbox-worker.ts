/**
 * The thread that starts the programs of one sandbox. The kernel restricts threads, so this one restricts itself, and
 * everything it starts from then on is restricted, too. The rest of the process is not. The kernel treats this thread
 * like the programs that it starts, so they could signal and trace it, and with it this process. A filter of system
 * calls refuses that.
 */
import { readlinkSync } from "node:fs";
import { basename } from "node:path";
import { receiveMessageOnPort, workerData } from "node:worker_threads";
import { LimpetError } from "../../base/limpet-error.ts";
import { restrictThread } from "../../linux/restrict/landlock.ts";
import {
  dropCapabilities,
  filterProgram,
  filterThread,
  hideMemory,
  listenToThread,
  noticeProgram,
  thisProcessor,
} from "../../linux/restrict/syscall-filter.ts";
import { callNumber } from "../../linux/restrict/syscall-numbers.ts";
import { findProgram, requireDirectory } from "../../pty/find-program.ts";
import { type SpawnOptions, spawnProgram } from "../../pty/spawn-program.ts";
import { enteringCommand } from "./namespaces/entering-command.ts";
import { guardThread } from "./refused-calls.ts";
import { CALLS, type SpawnAnswer, type SpawnRequest, type WorkerSetup } from "./worker-calls.ts";

const { restriction, filter, entrance, isStoppingConnects, port, calls } = workerData as WorkerSetup;
let keeper: number | undefined;

try {
  restrict();
  port.postMessage({ kind: "ready" } satisfies SpawnAnswer);
  serve();
} catch (error) {
  port.postMessage(failure(error));
}

/**
 * Runs until the other thread ends this one. Each blocks while the other works: that is faster than their event loops.
 */
function serve(): never {
  for (let seen = 0; ; seen += 1) {
    Atomics.wait(calls, CALLS.asked, seen);
    const request = receiveMessageOnPort(port) as { readonly message: SpawnRequest };
    try {
      const { options, stdio, group, isKeeper } = request.message;
      const pid = spawnProgram(isKeeper ? options : entering(options), stdio, group);
      if (isKeeper) keeper = pid;
      Atomics.store(calls, CALLS.pid, pid);
    } catch (error) {
      port.postMessage(failure(error));
    }
    Atomics.add(calls, CALLS.answered, 1);
    Atomics.notify(calls, CALLS.answered);
  }
}

function restrict(): void {
  const thread = Number(basename(readlinkSync("/proc/thread-self")));
  hideMemory();
  dropCapabilities();
  restrictThread(restriction);
  filterThread(Buffer.from(filter));
  filterThread(filterProgram(guardThread(thread, process.arch), thisProcessor()));
  if (!isStoppingConnects) return;
  const listener = listenToThread(noticeProgram(callNumber("connect", process.arch), thisProcessor()));
  Atomics.store(calls, CALLS.listener, listener);
}

/** Errors about the program and its directory are found before anything is started. */
function entering(options: SpawnOptions): SpawnOptions {
  if (!entrance || keeper === undefined) return options;
  requireDirectory(options.cwd);
  const path = options.env["PATH"];
  const file = findProgram(options.program, { cwd: options.cwd, path });
  return enteringCommand({ ...options, program: path === undefined ? file : options.program }, keeper, entrance);
}

function failure(error: unknown): SpawnAnswer {
  const code = error instanceof LimpetError ? error.code : "SPAWN_FAILED";
  return { kind: "failed", code, message: error instanceof Error ? error.message : String(error) };
}
