/** Reads which files a process has open, from the links in /proc. */
import { readlinkSync } from "node:fs";

/** Undefined if the file has been closed or belongs to another user's process. */
export function openFile(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}

/** A program may have opened its own terminal as /dev/tty. */
export function isTerminalFile(link: string, path: string): boolean {
  const target = openFile(link);
  return target === path || target === "/dev/tty";
}
