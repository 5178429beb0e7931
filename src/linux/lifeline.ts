/**
 * A pipe whose only writer is this process, and nothing is ever written: whoever reads it learns when this process has
 * ended, even if it was killed.
 */
import { LimpetError } from "../base/limpet-error.ts";
import { errno, errnoName, libc } from "./libc.ts";

const O_CLOEXEC = 0o2000000;

/** The path under which programs of this user open it for reading. It stays open until this process ends. */
export function openLifeline(): string {
  const fds = Buffer.alloc(8);
  if (libc.pipe2(fds, O_CLOEXEC) === 0) return `/proc/${process.pid}/fd/${fds.readInt32LE(0)}`;
  throw new LimpetError(
    "RESOURCE_EXHAUSTED",
    `A pipe could not be opened (${errnoName(errno())}). Close sessions, or raise the limit of open files (ulimit -n).`,
  );
}
