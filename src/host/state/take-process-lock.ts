/** The lock of the one process of its kind that a state directory can have: its host, or its web server. */
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { LimpetError } from "../../base/limpet-error.ts";
import { packageVersion } from "../../base/package-version.ts";
import { type FileLock, takeFileLock } from "../../linux/file-lock.ts";
import { inState, type StateDirectory } from "./state-directory.ts";

interface ProcessLockOptions {
  readonly file: "host.lock" | "web.lock";
  /** Where the process listens, from when it is ready until it starts to end. */
  readonly socketPath: string;
  /** How long to wait for one that is ending. Default 0. */
  readonly patienceMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** What to throw if another process has the lock. */
  readonly onTaken: () => LimpetError;
}

/** The interval between attempts. */
const LOCK_EVERY_MS = 20;

export async function takeProcessLock(
  directory: StateDirectory,
  { file, socketPath, patienceMs = 0, signal, onTaken }: ProcessLockOptions,
): Promise<FileLock> {
  const deadlineMs = performance.now() + patienceMs;
  const path = directory.file(file);
  for (;;) {
    const lock = inState(path, () => takeFileLock(path));
    if (lock) {
      lock.note(`${JSON.stringify({ pid: process.pid, version: packageVersion() })}\n`);
      return lock;
    }
    // One that is ending has removed its socket, and one that is starting has none yet.
    if (existsSync(socketPath) || performance.now() >= deadlineMs || signal?.aborted) throw onTaken();
    await sleep(LOCK_EVERY_MS);
  }
}
