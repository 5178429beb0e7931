/**
 * A lock on a file, held by the kernel: it goes with the process that has it, however that ends, so no lock is ever stale
 * and no pid need be believed.
 */
import { closeSync, constants, fchmodSync, fstatSync, ftruncateSync, openSync, statSync, writeSync } from "node:fs";
import { libc } from "./libc.ts";

const LOCK_EX = 2;
const LOCK_NB = 4;
/** Somebody may delete the file between our opening and our locking it, again and again. */
const MAX_TRIES = 10;

export interface FileLock {
  /** For a person who looks; nothing depends on it. */
  note(text: string): void;
  release(): void;
}

/** Undefined where another process has it. Throws what the file system says. */
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

/** The lock is on the file, not on its name: another one of that name would have a lock of its own. */
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
    // A full disk: the lock holds all the same.
  }
}
