/** Counts the programs of a shell that have ended, as far as the kernel shows it. */
import { basename } from "node:path";
import { readKernelFile } from "../linux/proc-file.ts";
import { readProcess } from "../linux/processes/processes.ts";

const SHELLS: ReadonlySet<string> = new Set(["bash", "zsh", "dash", "ash", "sh", "ksh", "mksh", "fish", "tcsh", "csh"]);
/** Options that are followed by a value. */
const TAKES_VALUE: ReadonlySet<string> = new Set(["-o", "+o", "-O", "+O", "--rcfile", "--init-file"]);

/**
 * A number that grows when a program ends that this shell has started and waited for. Undefined if the process, by its
 * command line, is not a shell that reads commands from its terminal.
 */
export function countEndedJobs(pid: number): number | undefined {
  const words = (readKernelFile(`/proc/${pid}/cmdline`) ?? "").split("\0").slice(0, -1);
  return isInteractiveShell(words) ? readProcess(pid)?.childFaults : undefined;
}

/** Pure: whether a command line starts a shell without a script and without a command. */
export function isInteractiveShell([program = "", ...args]: readonly string[]): boolean {
  if (basename(program) === "busybox") return isInteractiveShell(args);
  if (!SHELLS.has(basename(program.replace(/^-/, "")))) return false;
  const options = args.filter((_, index) => !TAKES_VALUE.has(args[index - 1] ?? ""));
  return options.every((option) => /^[-+]/.test(option) && !/^-[a-zA-Z]*c/.test(option));
}
