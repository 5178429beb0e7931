/**
 * A relay runs another program in an inner terminal and passes on what is typed, as sudo and script do. It always waits
 * for the outer terminal, whether or not its program wants input. So only the inner program shows what it waits for.
 */
import { openFile } from "../linux/open-file.ts";
import { readKernelFile } from "../linux/proc-file.ts";

const MASTERS: readonly string[] = ["/dev/ptmx", "/dev/pts/ptmx"];

/** The inner terminal of a thread that waits for all these files; undefined if it is not a relay. */
export function innerTerminal(thread: string, files: readonly number[]): string | undefined {
  const master = files.find((fd) => MASTERS.includes(openFile(`${thread}/fd/${fd}`) ?? ""));
  if (master === undefined) return undefined;
  const index = /^tty-index:\s*(\d+)/m.exec(readKernelFile(`${thread}/fdinfo/${master}`) ?? "")?.[1];
  return index === undefined ? undefined : `/dev/pts/${index}`;
}
