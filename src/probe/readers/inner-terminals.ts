/**
 * A relay runs another program in an inner terminal and passes on what is typed, as sudo and script do. It always waits
 * for the outer terminal, whether or not its program wants input. So only the inner program shows what it waits for.
 */
import type { TerminalSize } from "../../base/terminal-size.ts";
import { openFile } from "../../linux/files/open-file.ts";
import { readKernelFile } from "../../linux/proc-file.ts";
import { readTerminalSize } from "../../pty/terminal-mode.ts";
import { withTerminalAt } from "../../pty/with-terminal-at.ts";

const MASTERS: readonly string[] = ["/dev/ptmx", "/dev/pts/ptmx"];
/** Rows that a relay uses itself, such as the status line of tmux. */
const MOST_OWN_ROWS = 2;

/** The inner terminals of a thread that waits for these files. */
export function innerTerminals(thread: string, files: readonly number[]): string[] {
  return files.flatMap((fd) => {
    if (!MASTERS.includes(openFile(`${thread}/fd/${fd}`) ?? "")) return [];
    const index = /^tty-index:\s*(\d+)/m.exec(readKernelFile(`${thread}/fdinfo/${fd}`) ?? "")?.[1];
    return index === undefined ? [] : [`/dev/pts/${index}`];
  });
}

/**
 * Whether the inner terminal has the size of the outer one. A relay gives it that size. A program that only runs
 * another one in a terminal, as emacs does, usually sets another size. `root`: the root directory in which `path` is
 * valid.
 */
export function hasSizeOf(root: string, path: string, outer: TerminalSize): boolean {
  const inner = withTerminalAt(`${root}${path}`, readTerminalSize);
  return inner === undefined || fits(inner, outer);
}

/** Pure. */
export function fits(inner: TerminalSize, outer: TerminalSize): boolean {
  const ownRows = outer.rows - inner.rows;
  return inner.cols === outer.cols && ownRows >= 0 && ownRows <= MOST_OWN_ROWS;
}
