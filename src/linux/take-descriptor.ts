/** Takes a copy of a descriptor of another process. The kernel allows it to whoever may trace that process. */
import { closeSync } from "node:fs";
import { libc } from "./libc.ts";

// The same on x86-64 and arm64.
const PIDFD_OPEN = 434;
const PIDFD_GETFD = 438;

/** The result of `ask` with the copy, which is then closed; undefined if the kernel refuses it. */
export function withDescriptorOf<T>(pid: number, fd: number, ask: (copy: number) => T): T | undefined {
  const holder = libc.pidfdOpen(PIDFD_OPEN, pid, 0);
  if (holder < 0) return undefined;
  try {
    const copy = libc.pidfdGetfd(PIDFD_GETFD, holder, fd, 0);
    if (copy < 0) return undefined;
    try {
      return ask(copy);
    } finally {
      closeSync(copy);
    }
  } finally {
    closeSync(holder);
  }
}
