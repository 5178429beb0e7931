/**
 * A kernel lock on a file. The kernel releases it when the owning process ends for any reason, so a lock is never stale
 * and no pid has to be trusted.
 */
import { closeSync, constants, fchmodSync, fstatSync, ftruncateSync, openSync, statSync, writeSync } from "node:fs";
import { libc } from "./libc.ts";
import { readKernelFile } from "./proc-file.ts";

const LOCK_EX = 2;
const LOCK_NB = 4;
/** Another process may repeatedly delete the file between our open and our lock. */
const MAX_TRIES = 10;

export interface FileLock {
  /** Writes a note into the file for people who inspect it. No code reads it. */
  note(text: string): void;
  release(): void;
}

/** Returns undefined if another process holds the lock. Throws file system errors. */
export function takeFileLock(path: string): FileLock | undefined {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const fd = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
    const isOurs = libc.flock(fd, LOCK_EX | LOCK_NB) === 0;
    if (isOurs && isStillThere(fd, path)) {
      fchmodSync(fd, 0o600);
      return { note: (text) => rewrite(fd, text), release: () => closeSync(fd) };
    }
    closeSync(fd);
    if (!isOurs) return undefined;
  }
  return undefined;
}

/** Whether a process holds the lock of this file. True if the file cannot be opened, false if it does not exist. */
export function isLocked(path: string): boolean {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ENOENT";
  }
  try {
    return libc.flock(fd, LOCK_EX | LOCK_NB) !== 0;
  } finally {
    closeSync(fd);
  }
}

/** The process that holds the lock of this file; undefined if none does, or if it is in another pid namespace. */
export function lockHolder(path: string): number | undefined {
  const file = statSync(path, { throwIfNoEntry: false });
  if (!file) return undefined;
  // A line of /proc/locks: "1: FLOCK  ADVISORY  WRITE 4242 fe:00:1234 0 EOF".
  for (const line of (readKernelFile("/proc/locks") ?? "").split("\n")) {
    const [, pid, inode] = /FLOCK\s+\S+\s+WRITE\s+(\d+)\s+[0-9a-f]+:[0-9a-f]+:(\d+)\s/.exec(line) ?? [];
    if (Number(inode) === file.ino && Number(pid) > 0) return Number(pid);
  }
  return undefined;
}

/** The lock belongs to the inode, not to the name: a new file of the same name would have a separate lock. */
function isStillThere(fd: number, path: string): boolean {
  try {
    const ours = fstatSync(fd);
    const named = statSync(path);
    return ours.ino === named.ino && ours.dev === named.dev;
  } catch {
    return false;
  }
}

function rewrite(fd: number, text: string): void {
  try {
    ftruncateSync(fd, 0);
    writeSync(fd, text, 0);
  } catch {
    // A full disk does not affect the lock.
  }
}
