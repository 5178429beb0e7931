/**
 * Whether a process belongs to a session: by the marks in the environment of its ancestors, or by its control group.
 */
import { readLineage } from "../../linux/processes/read-lineage.ts";
import { groupOwnersOf } from "../../pty/group-root.ts";

/** `hostPid`: the host whose sessions count by their control groups; those of any host count by their marks. */
export function isInsideSession(pid: number, hostPid: number | undefined): boolean {
  const lineage = readLineage(pid);
  // The owner of a process that has ended is unknown, so it counts as inside.
  if (lineage.length === 0) return true;
  return lineage.some(
    (process) =>
      process.mark !== undefined ||
      (hostPid !== undefined && (process.parent === hostPid || groupOwnersOf(process.pid).includes(hostPid))),
  );
}
