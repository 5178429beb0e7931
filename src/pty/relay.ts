/**
 * A relay runs another program in a terminal of its own and passes on what is typed, as sudo and script do. It waits for the
 * outer terminal all the time, whether its program wants anything or not: only that program can tell.
 */
import { readlinkSync } from "node:fs";
import { readKernelFile } from "./proc-file.ts";

const MASTERS: readonly string[] = ["/dev/ptmx", "/dev/pts/ptmx"];

/** The inner terminal of a thread that waits for these files at once; undefined for one that is no relay. */
export function innerTerminal(thread: string, files: readonly number[]): string | undefined {
  const master = files.find((fd) => isMaster(`${thread}/fd/${fd}`));
  if (master === undefined) return undefined;
  const index = /^tty-index:\s*(\d+)/m.exec(readKernelFile(`${thread}/fdinfo/${master}`) ?? "")?.[1];
  return index === undefined ? undefined : `/dev/pts/${index}`;
}

function isMaster(link: string): boolean {
  try {
    return MASTERS.includes(readlinkSync(link));
  } catch {
    return false;
  }
}
