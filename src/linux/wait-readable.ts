/** Waits for descriptors with a blocking call, in a thread of its own. */
import { libc } from "./libc.ts";

/** The state of a descriptor: it has data to read, or its other end is closed. */
export interface Readiness {
  readonly fd: number;
  readonly hasInput: boolean;
}

const ENTRY_BYTES = 8;
const POLLIN = 0x001;
const POLLERR = 0x008;
const POLLHUP = 0x010;
const POLLNVAL = 0x020;

/** The descriptors that are ready; empty after `timeoutMs`. Blocks the thread. */
export function waitReadable(fds: readonly number[], timeoutMs: number): readonly Readiness[] {
  const entries = Buffer.alloc(ENTRY_BYTES * fds.length);
  for (const [at, fd] of fds.entries()) {
    entries.writeInt32LE(fd, ENTRY_BYTES * at);
    entries.writeInt16LE(POLLIN, ENTRY_BYTES * at + 4);
  }
  if (libc.poll(entries, fds.length, timeoutMs) <= 0) return [];
  return fds.flatMap((fd, at) => {
    const found = entries.readInt16LE(ENTRY_BYTES * at + 6);
    const isReady = (found & (POLLIN | POLLERR | POLLHUP | POLLNVAL)) !== 0;
    return isReady ? [{ fd, hasInput: (found & POLLIN) !== 0 }] : [];
  });
}
