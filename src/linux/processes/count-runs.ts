/**
 * How often a thread has run; undefined if it has ended. If two results are equal, the thread has not run in between.
 */
import { readShortProcFile } from "../proc-file.ts";

export function countRuns(pid: number, thread: number): string | undefined {
  return readShortProcFile(`/proc/${pid}/task/${thread}/schedstat`)?.split(" ", 3)[2]?.trim();
}
