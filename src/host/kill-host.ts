/** Ends a host that does not answer, and everything its sessions started. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { LimpetError } from "../base/limpet-error.ts";
import { type FileLock, lockHolder, takeFileLock } from "../linux/file-lock.ts";
import { killLeftovers } from "./state/kill-leftovers.ts";
import { recoverOpenings } from "./state/opening-log.ts";
import { readRecords } from "./state/session-record.ts";
import { findStateDirectory, inState, type StateDirectory } from "./state/state-directory.ts";

const DEATH_PATIENCE_MS = 5_000;
const RETRY_EVERY_MS = 20;

/** False if no host was running. The host is found by its lock, which only the kernel can give. */
export async function killHost(stateDirectory: string): Promise<boolean> {
  const directory = findStateDirectory(stateDirectory);
  if (directory === undefined) return false;
  try {
    const path = directory.file("host.lock");
    const pid = lockHolder(path);
    if (pid === undefined) return false;
    process.kill(pid, "SIGKILL");
    const lock = await lockOfDead(path, pid);
    try {
      await endSessionsOf(directory);
    } finally {
      lock.release();
    }
    return true;
  } finally {
    directory.release();
  }
}

/** While this process has the lock, no new host can start sessions. */
async function lockOfDead(path: string, pid: number): Promise<FileLock> {
  const deadlineMs = performance.now() + DEATH_PATIENCE_MS;
  for (;;) {
    const lock = inState(path, () => takeFileLock(path));
    if (lock) return lock;
    if (performance.now() > deadlineMs) {
      throw new LimpetError(
        "HOST_NOT_RESPONDING",
        `Process ${pid} did not end after SIGKILL: the kernel waits for its disk or network. Try again when that is back.`,
      );
    }
    await sleep(RETRY_EVERY_MS);
  }
}

async function endSessionsOf(directory: StateDirectory): Promise<void> {
  const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
  // Before the records are read: it writes those that the host had no time to write, and returns only the others.
  const unwritten = recoverOpenings(directory.file("opening"));
  const found = [...readRecords(directory.file("sessions")).records, ...unwritten];
  await killLeftovers(found.map(({ record }) => record).filter((record) => record.boot === boot));
}
