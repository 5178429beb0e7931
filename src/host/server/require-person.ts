/**
 * Keeps agents from what only people may do, such as to approve a request: a client that runs inside a session is
 * refused, because an agent may have started it there, or drives it. Sessions of other hosts and of programs that use
 * limpet count as well.
 */
import type { Socket } from "node:net";
import { LimpetError } from "../../base/limpet-error.ts";
import type { MarkedProcess } from "../../linux/processes/processes.ts";
import { readLineage } from "../../linux/processes/read-lineage.ts";
import { peerOfSocket } from "./is-own-user.ts";

/** Rejects with `APPROVAL_REFUSED`. `membersOfSessions`: the processes of all sessions of this host. */
export async function requirePerson(
  socket: Socket,
  membersOfSessions: () => Promise<ReadonlySet<number>>,
): Promise<void> {
  const peer = peerOfSocket(socket);
  const lineage = peer === undefined ? [] : readLineage(peer.pid);
  if (lineage.length === 0) throw refused("cannot be identified");
  const members = await membersOfSessions();
  if (isInside(lineage, members)) throw refused("runs inside a session, where an agent could use it");
}

/** Pure. */
export function isInside(lineage: readonly MarkedProcess[], members: ReadonlySet<number>): boolean {
  return lineage.some(({ pid, mark }) => mark !== undefined || members.has(pid));
}

function refused(why: string): LimpetError {
  return new LimpetError(
    "APPROVAL_REFUSED",
    `This program ${why}, so it cannot act for a person. Use a terminal of your own.`,
  );
}
