/** Copies a descriptor of another process. The kernel allows it if this process may trace the other one. */
import { closeSync, openSync } from "node:fs";
import { libc } from "./libc.ts";
import { callNumber } from "./restrict/syscall-numbers.ts";

/** The copy, which the caller must close; undefined if the kernel refuses. Programs do not inherit it. */
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

/** Whether the kernel has the call and allows this process to use it. Some containers refuse it. */
export function canTakeDescriptors(): boolean {
  const own = openSync("/dev/null", "r");
  try {
    return withDescriptorOf(process.pid, own, () => true) ?? false;
  } finally {
    closeSync(own);
  }
}
