/** Takes a copy of a descriptor of another process. The kernel allows it to whoever may trace that process. */
import { closeSync, openSync } from "node:fs";
import { libc } from "./libc.ts";
import { callNumber } from "./restrict/syscall-numbers.ts";

/** The copy, which the caller closes; undefined if the kernel refuses it. No program inherits it. */
export function takeDescriptor(pid: number, fd: number): number | undefined {
  const holder = libc.pidfdOpen(callNumber("pidfd_open", process.arch), pid, 0);
  if (holder < 0) return undefined;
  const copy = libc.pidfdGetfd(callNumber("pidfd_getfd", process.arch), holder, fd, 0);
  closeSync(holder);
  return copy < 0 ? undefined : copy;
}

/** The result of `ask` with the copy, which is then closed; undefined if the kernel refuses it. */
export function withDescriptorOf<T>(pid: number, fd: number, ask: (copy: number) => T): T | undefined {
  const copy = takeDescriptor(pid, fd);
  if (copy === undefined) return undefined;
  try {
    return ask(copy);
  } finally {
    closeSync(copy);
  }
}

/** Whether this system has the call, and lets this process use it. Some containers refuse it. */
export function canTakeDescriptors(): boolean {
  const own = openSync("/dev/null", "r");
  try {
    return withDescriptorOf(process.pid, own, () => true) ?? false;
  } finally {
    closeSync(own);
  }
}
