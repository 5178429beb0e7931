/**
 * A relay runs another program in a terminal of its own and passes on what is typed, as sudo and script do. It waits for the
 * outer terminal all the time, whether its program wants anything or not: only that program can tell.
 */
import { openFile } from "../linux/open-file.ts";
import { readKernelFile } from "../linux/proc-file.ts";

const MASTERS: readonly string[] = ["/dev/ptmx", "/dev/pts/ptmx"];

/** The inner terminal of a thread that waits for these files at once; undefined for one that is no relay. */
export function innerTerminal(thread: string, files: readonly number[]): string | undefined {
  const master = files.find((fd) => MASTERS.includes(openFile(`${thread}/fd/${fd}`) ?? ""));
  if (master === undefined) return undefined;
  const index = /^tty-index:\s*(\d+)/m.exec(readKernelFile(`${thread}/fdinfo/${master}`) ?? "")?.[1];
  return index === undefined ? undefined : `/dev/pts/${index}`;
}
