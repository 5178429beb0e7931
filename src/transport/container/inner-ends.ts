/**
 * Opens both ends of the terminal of a program in a container. The process of the engine that started the program has
 * the master. The ends are open only for one call: an open end would hide from the engine that the program has closed
 * its own.
 */
import { readdirSync } from "node:fs";
import { openFile, terminalPath } from "../../linux/files/open-file.ts";
import { readKernelFile } from "../../linux/proc-file.ts";
import { readProcess } from "../../linux/processes/processes.ts";
import { withDescriptorOf } from "../../linux/take-descriptor.ts";
import { readForegroundGroup } from "../../pty/terminal-mode.ts";
import type { TerminalEnds } from "../../pty/unseen-typing.ts";
import { withTerminalAt } from "../../pty/with-terminal-at.ts";

/** Undefined if the program has no terminal, or if the kernel does not allow this process to open it. */
export function withInnerEnds<T>(program: number, ask: (ends: TerminalEnds) => T): T | undefined {
  const entry = readProcess(program);
  const path = entry && terminalPath(entry.terminal);
  if (!entry || path === undefined) return undefined;
  const fd = masterOf(entry.parent, path);
  if (fd === undefined) return undefined;
  return withDescriptorOf(entry.parent, fd, (master) => {
    // Terminals of different containers can have the same number, but not the same foreground group.
    if (readForegroundGroup(master) !== entry.foregroundGroup) return undefined;
    return withTerminalAt(`/proc/${program}/root${path}`, (slave) => ask({ master, slave }));
  });
}

/** The descriptor of the process that is the master of the terminal with this path in the container. */
export function masterOf(pid: number, path: string): number | undefined {
  const index = path.slice("/dev/pts/".length);
  return descriptorsOf(pid)?.find((fd) => {
    if (!openFile(`/proc/${pid}/fd/${fd}`)?.endsWith("ptmx")) return false;
    return /^tty-index:\s*(\d+)/m.exec(readKernelFile(`/proc/${pid}/fdinfo/${fd}`) ?? "")?.[1] === index;
  });
}

/** Undefined if the kernel does not allow reading them. Empty if the process has ended. */
export function descriptorsOf(pid: number): readonly number[] | undefined {
  try {
    return readdirSync(`/proc/${pid}/fd`).map(Number);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EACCES" ? undefined : [];
  }
}
