/**
 * Connects to the host of a state directory, and starts it if none runs.
 *
 * Many clients may do this at once. Each starts a host, the lock lets one of them run, and all clients connect to that
 * one.
 */
import { connect as connectSocket, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { HOST_START_MS } from "../../base/limits.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import { hostEnv } from "../../transport/env/child-env.ts";
import { findStateDirectory, openStateDirectory, type StateDirectory } from "../state/state-directory.ts";
import { startDetached } from "./start-detached.ts";

interface ReachOptions {
  /** Once it is aborted, no host is started or waited for. */
  readonly signal?: AbortSignal | undefined;
  /** The command that starts a host if none runs. Without it, no host is started. */
  readonly startWith?: () => readonly string[];
  /**
   * Further arguments of the host, and its environment. Default: no arguments, and the variables that every host needs.
   */
  readonly extra?: { readonly words: readonly string[]; readonly env: Readonly<Record<string, string>> };
}

/** The interval between attempts to connect while a host starts. */
const RETRY_EVERY_MS = 10;

/** A connection to the host of a state directory. Undefined if none runs and none may be started. */
export async function reachHost(
  stateDirectory: string,
  { startWith, signal, extra = { words: [], env: hostEnv() } }: ReachOptions,
): Promise<Socket | undefined> {
  const socket = await reachRunning(stateDirectory);
  if (socket || !startWith) return socket;
  signal?.throwIfAborted();
  const command = [...startWith()];
  const directory = openStateDirectory(stateDirectory);
  try {
    return await startAndReach(directory, command, { ...extra, signal });
  } finally {
    directory.release();
  }
}

/** Creates nothing: where there is no directory, no host runs. */
async function reachRunning(stateDirectory: string): Promise<Socket | undefined> {
  const directory = findStateDirectory(stateDirectory);
  try {
    return directory && (await reach(directory));
  } finally {
    directory?.release();
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

type Extra = Exclude<ReachOptions["extra"], undefined> & Pick<ReachOptions, "signal">;

async function startAndReach(directory: StateDirectory, command: readonly string[], extra: Extra): Promise<Socket> {
  const words = [...command, "host", "run", "--detached", "--state", directory.path, ...extra.words];
  const host = startDetached({ words, env: extra.env, log: directory.file("host.log") });
  const deadlineMs = performance.now() + HOST_START_MS;
  try {
    for (;;) {
      // Checked before the attempt, because the host may end after a client has reached it.
      const hasFailed = host.hasFailed();
      const socket = await reach(directory);
      if (socket) return socket;
      if (hasFailed) throw notStarted(directory, `ended at once: ${host.firstLine() || "it printed nothing"}.`);
      if (performance.now() > deadlineMs)
        throw notStarted(directory, `could not be reached in ${HOST_START_MS / 1000} s.`);
      extra.signal?.throwIfAborted();
      await sleep(RETRY_EVERY_MS);
    }
  } finally {
    host.forget();
  }
}

function notStarted(directory: StateDirectory, how: string): LimpetError {
  return new LimpetError(
    "HOST_START_FAILED",
    `The host of ${directory.path} was started and ${how} See ${directory.file("host.log")}.`,
  );
}
