/** What a process has open, as the links of its /proc say. */
import { readlinkSync } from "node:fs";

/** Undefined where it is closed by now, or somebody else's. */
export function openFile(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}

/** A program may know its own terminal by another name. */
export function isTerminalFile(link: string, path: string): boolean {
  const target = openFile(link);
  return target === path || target === "/dev/tty";
}
