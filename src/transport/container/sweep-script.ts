/**
 * A script for any POSIX shell that ends every process with a session's mark in its environment, and prints each as
 * `PID SIGNAL NAME`. Arguments: the mark, and the seconds between two signals.
 *
 * It runs in a container whose processes are not visible on this machine, and on this machine after a host was killed.
 */
import type { EndedProcess } from "../../linux/processes/kill-process-tree.ts";
import { MARK_VARIABLE } from "../../linux/processes/processes.ts";

export const SWEEP_SCRIPT: string = [
  "command -v grep >/dev/null || exit 3",
  // `-z` splits at NUL, because grep of busybox reads a line only up to a NUL.
  `find() { grep -lszxF -e "${MARK_VARIABLE}=$1" /proc/[0-9]*/environ; }`,
  "for signal in HUP TERM KILL KILL KILL; do",
  // The exit code of grep is useless here, because processes may end meanwhile.
  '  found=$(find "$1"); [ -n "$found" ] || exit 0',
  "  for file in $found; do",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: For the shell.
  "    pid=${file#/proc/}; pid=${pid%/environ}",
  '    read -r name <"/proc/$pid/comm" || continue',
  '    echo "$pid $signal $name"',
  '    kill -"$signal" "$pid"',
  '    kill -CONT "$pid"',
  "  done 2>/dev/null",
  '  sleep "$2" 2>/dev/null || sleep 1',
  "done",
  '[ -z "$(find "$1")" ] || exit 4',
].join("\n");

/** Reads the output of the script. Returns each process once, with the last signal that it got. Pure. */
export function sweptProcesses(printed: string): readonly EndedProcess[] {
  const ended = new Map<number, EndedProcess>();
  for (const [, pid = "", signal = "", name = ""] of printed.matchAll(/^(\d+) (HUP|TERM|KILL) (.*)$/gm))
    ended.set(Number(pid), { pid: Number(pid), name, signal: `SIG${signal}` as EndedProcess["signal"] });
  return [...ended.values()];
}
