/**
 * Both ends of the terminal of a program in a container. The engine's process that started the program has the master.
 * They are opened for one call: an open end would keep the engine from noticing that the program has closed its own.
 */
import { readdirSync } from "node:fs";
import { openFile, terminalPath } from "../../linux/files/open-file.ts";
import { readKernelFile } from "../../linux/proc-file.ts";
import { readProcess } from "../../linux/processes/processes.ts";
import { withDescriptorOf } from "../../linux/take-descriptor.ts";
import { readForegroundGroup } from "../../pty/terminal-mode.ts";
import type { TerminalEnds } from "../../pty/unseen-typing.ts";
import { withTerminalAt } from "../../pty/with-terminal-at.ts";

/** Undefined if the program has no terminal, or if the kernel does not let this process have it. */
export function withInnerEnds<T>(program: number, ask: (ends: TerminalEnds) => T): T | undefined {
  const entry = readProcess(program);
  const path = entry && terminalPath(entry.terminal);
  if (!entry || path === undefined) return undefined;
  const fd = masterOf(entry.parent, path);
  if (fd === undefined) return undefined;
  return withDescriptorOf(entry.parent, fd, (master) => {
    // Terminals of different containers have the same numbers, but not the same foreground.
    if (readForegroundGroup(master) !== entry.foregroundGroup) return undefined;
    return withTerminalAt(`/proc/${program}/root${path}`, (slave) => ask({ master, slave }));
  });
}

/** Which descriptor of the process is the master of the terminal with this path inside. */
export function masterOf(pid: number, path: string): number | undefined {
  const index = path.slice("/dev/pts/".length);
  return descriptorsOf(pid)?.find((fd) => {
    if (!openFile(`/proc/${pid}/fd/${fd}`)?.endsWith("ptmx")) return false;
    return /^tty-index:\s*(\d+)/m.exec(readKernelFile(`/proc/${pid}/fdinfo/${fd}`) ?? "")?.[1] === index;
  });
}

/** Undefined if the kernel does not show them. None if the process has ended. */
export function descriptorsOf(pid: number): readonly number[] | undefined {
  try {
    return readdirSync(`/proc/${pid}/fd`).map(Number);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EACCES" ? undefined : [];
  }
}
