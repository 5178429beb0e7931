/**
 * Keeps agents from approving their own requests: a client that runs inside a session cannot decide, because an agent
 * may have started it there, or drives it. Sessions of other hosts and of programs that use limpet count as well.
 */
import type { Socket } from "node:net";
import { LimpetError } from "../../base/limpet-error.ts";
import { type MarkedProcess, readMarkedProcess } from "../../linux/processes/processes.ts";
import { peerOfSocket } from "./is-own-user.ts";

/** Rejects with `APPROVAL_REFUSED`. `membersOfSessions`: the processes of all sessions of this host. */
export async function requirePerson(
  socket: Socket,
  membersOfSessions: () => Promise<ReadonlySet<number>>,
): Promise<void> {
  const peer = peerOfSocket(socket);
  const line = peer === undefined ? [] : lineageOf(peer.pid);
  if (line.length === 0) throw refused("cannot be identified");
  const members = await membersOfSessions();
  if (isInside(line, members)) throw refused("runs inside a session, where an agent could approve itself");
}

/** Pure. */
export function isInside(lineage: readonly MarkedProcess[], members: ReadonlySet<number>): boolean {
  return lineage.some(({ pid, mark }) => mark !== undefined || members.has(pid));
}

/** The process and its ancestors, as far as they are known. */
function lineageOf(pid: number): readonly MarkedProcess[] {
  const line: MarkedProcess[] = [];
  for (let next = pid; next > 1; ) {
    const entry = readMarkedProcess(next);
    if (!entry) break;
    line.push(entry);
    next = entry.parent;
  }
  return line;
}

function refused(why: string): LimpetError {
  return new LimpetError(
    "APPROVAL_REFUSED",
    `This program ${why}, so it cannot approve or deny. Decide in a terminal of your own.`,
  );
}
