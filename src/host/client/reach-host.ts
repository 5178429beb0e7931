/**
 * Connects to the host of a state directory, and starts it if none runs.
 *
 * Many clients may do this at once. Each starts a host, the lock lets one of them run, and all clients connect to that
 * one. A host is a separate process in its own kernel session, so it outlives the client that started it.
 *
 * A shell starts the host in the background and ends, so that the host is not a descendant of the client: some agents
 * end every process below their own when they end.
 */
import { spawn } from "node:child_process";
import { closeSync, constants, fchmodSync, fstatSync, ftruncateSync, openSync, readFileSync, statSync } from "node:fs";
import { connect as connectSocket, type Socket } from "node:net";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { HOST_LOG_BYTES, HOST_START_MS } from "../../base/limits.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import { hostEnv } from "../../transport/env/child-env.ts";
import { inState, openStateDirectory, type StateDirectory } from "../state/state-directory.ts";

interface ReachOptions {
  /** The command that starts a host if none runs. Without it, no host is started. */
  readonly startWith?: () => readonly string[];
  /** Words after those of every host, and its variables. Default: none, and what every host needs. */
  readonly extra?: { readonly words: readonly string[]; readonly env: Readonly<Record<string, string>> };
}

/** The interval between attempts to connect while a host starts. */
const RETRY_EVERY_MS = 10;
const MAX_QUOTED_BYTES = 2_000;
const IN_BACKGROUND = '"$@" &';

/** A connection to the host of a state directory. Undefined if none runs and none may be started. */
export async function reachHost(
  stateDirectory: string,
  { startWith, extra = { words: [], env: hostEnv() } }: ReachOptions,
): Promise<Socket | undefined> {
  const directory = openStateDirectory(stateDirectory);
  try {
    return (await reach(directory)) ?? (startWith && (await startAndReach(directory, startWith(), extra)));
  } finally {
    directory.release();
  }
}

/** Undefined if no host listens. */
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

type Extra = Exclude<ReachOptions["extra"], undefined>;

async function startAndReach(directory: StateDirectory, command: readonly string[], extra: Extra): Promise<Socket> {
  const log = directory.file("host.log");
  const logBytesBefore = sizeOf(log);
  const host = startHost(directory, command, extra);
  const deadlineMs = performance.now() + HOST_START_MS;
  try {
    for (;;) {
      // Checked before the attempt, because the host may end after a client has reached it.
      const hasFailed = host.hasFailed();
      const socket = await reach(directory);
      if (socket) return socket;
      if (hasFailed) throw notStarted(directory, `ended at once: ${firstLineAfter(log, logBytesBefore)}.`);
      if (performance.now() > deadlineMs)
        throw notStarted(directory, `could not be reached in ${HOST_START_MS / 1000} s.`);
      await sleep(RETRY_EVERY_MS);
    }
  } finally {
    host.forget();
  }
}

interface StartingHost {
  /** It has ended, and not because another host was first. */
  hasFailed(): boolean;
  forget(): void;
}

function startHost(directory: StateDirectory, command: readonly string[], { words, env }: Extra): StartingHost {
  const path = directory.file("host.log");
  const log = inState(path, () => openLog(path));
  try {
    const run = [...command, "host", "run", "--detached", "--state", directory.path, ...words];
    const shell = spawn("/bin/sh", ["-c", IN_BACKGROUND, "sh", ...run], {
      detached: true,
      stdio: ["ignore", log, log, "pipe"],
      cwd: "/",
      env: { ...env },
    });
    shell.unref();
    return followStart(shell.stdio[3] as Readable, (onError) => shell.on("error", onError));
  } finally {
    closeSync(log);
  }
}

/** The host keeps its end of the pipe open while it runs, and writes to it if another host was first. */
function followStart(pipe: Readable, onSpawnError: (listener: () => void) => void): StartingHost {
  let isOver = false;
  let isSecond = false;
  const end = () => {
    isOver = true;
  };
  pipe.on("data", () => {
    isSecond = true;
  });
  pipe.on("close", end);
  pipe.on("error", end);
  onSpawnError(end);
  return { hasFailed: () => isOver && !isSecond, forget: () => pipe.destroy() };
}

/** Opens the log for appending, and empties it if it is too large. */
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

/** The first line that the host wrote since its start. */
function firstLineAfter(log: string, start: number): string {
  const written = readFileSync(log)
    .subarray(start, start + MAX_QUOTED_BYTES)
    .toString("utf8");
  return written.trim().split("\n", 1)[0] || "it printed nothing";
}
