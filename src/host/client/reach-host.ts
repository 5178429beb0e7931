/**
 * Reaches the host of a state directory, and starts it where there is none.
 *
 * Many may do that at once: each starts one, the lock lets one of them live, and all reach that one. A host is a process of
 * its own, in a session of its own: it outlives whoever started it.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, constants, fchmodSync, fstatSync, ftruncateSync, openSync, readFileSync, statSync } from "node:fs";
import { connect as connectSocket, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { HOST_LOG_BYTES, HOST_START_MS } from "../../base/limits.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import { hostEnv } from "../../transport/child-env.ts";
import { inState, openStateDirectory, type StateDirectory } from "../state/state-directory.ts";

interface ReachOptions {
  /** What to run as a host where there is none. Without it none is started. */
  readonly startWith?: readonly string[];
}

/** Not reached yet, but on its way: looked at again this soon. */
const LOOK_EVERY_MS = 10;
const LAST_WORDS_BYTES = 2_000;

/** A connection to the host of a state directory. Undefined where there is none and none may be started. */
export async function reachHost(stateDirectory: string, { startWith }: ReachOptions): Promise<Socket | undefined> {
  const directory = openStateDirectory(stateDirectory);
  try {
    return (await reach(directory)) ?? (startWith && (await startAndReach(directory, startWith)));
  } finally {
    directory.release();
  }
}

/** Undefined where nobody listens. */
function reach({ socketPath, path }: StateDirectory): Promise<Socket | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connectSocket(socketPath, () => {
      socket.off("error", onError);
      resolve(socket);
    });
    const onError = (cause: NodeJS.ErrnoException) => {
      if (cause.code === "ENOENT" || cause.code === "ECONNREFUSED") return resolve(undefined);
      reject(
        new LimpetError("HOST_GONE", `The host of ${path} cannot be reached (${cause.code}). Try again in a moment.`, {
          cause,
        }),
      );
    };
    socket.on("error", onError);
  });
}

async function startAndReach(directory: StateDirectory, command: readonly string[]): Promise<Socket> {
  const log = directory.file("host.log");
  const saidBefore = sizeOf(log);
  const host = startHost(directory, command);
  const deadlineMs = performance.now() + HOST_START_MS;
  for (;;) {
    // Asked first: what has ended since may have been reached by then.
    // With 0 it has left the place to another, who was first.
    const hasFailed = (host.exitCode ?? 0) !== 0 || host.signalCode !== null || host.pid === undefined;
    const socket = await reach(directory);
    if (socket) return socket;
    if (hasFailed) throw notStarted(directory, `ended at once: ${wordsAfter(log, saidBefore)}.`);
    if (performance.now() > deadlineMs)
      throw notStarted(directory, `could not be reached in ${HOST_START_MS / 1000} s.`);
    await sleep(LOOK_EVERY_MS);
  }
}

function startHost(directory: StateDirectory, [program = "", ...args]: readonly string[]): ChildProcess {
  const path = directory.file("host.log");
  const log = inState(path, () => openLog(path));
  try {
    const host = spawn(program, [...args, "host", "run", "--detached", "--state", directory.path], {
      detached: true,
      stdio: ["ignore", log, log],
      cwd: "/",
      env: hostEnv(),
    });
    // A program that cannot be started has no pid, which is looked at.
    host.on("error", () => undefined);
    host.unref();
    return host;
  } finally {
    closeSync(log);
  }
}

/** A host says little. What it said is kept until it is too much. */
function openLog(path: string): number {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  const log = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  fchmodSync(log, 0o600);
  if (fstatSync(log).size > HOST_LOG_BYTES) ftruncateSync(log);
  return log;
}

function notStarted(directory: StateDirectory, how: string): LimpetError {
  return new LimpetError(
    "HOST_START_FAILED",
    `The host of ${directory.path} was started and ${how} See ${directory.file("host.log")}.`,
  );
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** The first line that was said since. */
function wordsAfter(log: string, start: number): string {
  const said = readFileSync(log)
    .subarray(start, start + LAST_WORDS_BYTES)
    .toString("utf8");
  return said.trim().split("\n", 1)[0] || "without a word";
}
