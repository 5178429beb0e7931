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

/** A process may have opened its controlling terminal as /dev/tty. `isControlling`: `path` is that terminal. */
export function isTerminalFile(link: string, path: string, isControlling = true): boolean {
  const target = openFile(link);
  return target === path || (isControlling && target === "/dev/tty");
}

const PTS_MAJOR = 136;

/** The device number of a terminal such as /dev/pts/5, as the kernel shows it in `stat`; undefined for other paths. */
export function terminalNumber(path: string): number | undefined {
  const index = /^\/dev\/pts\/(\d+)$/.exec(path)?.[1];
  if (index === undefined) return undefined;
  const minor = Number(index);
  return (minor & 0xff) | (PTS_MAJOR << 8) | ((minor & ~0xff) << 12);
}

/** The path of the terminal with this device number; undefined for other devices. */
export function terminalPath(number: number): string | undefined {
  if (((number >> 8) & 0xfff) !== PTS_MAJOR) return undefined;
  return `/dev/pts/${(number & 0xff) | ((number >> 12) & ~0xff)}`;
}
