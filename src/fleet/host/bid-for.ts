/** What a host answers to the question whether it takes a session. */
import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { decodeMessage } from "../link/open-messages.ts";
import type { Bid } from "../placement/bid.ts";
import type { LeaseRecord } from "../registry/records.ts";

/** What a session needs, as a door asks for it. */
interface BidQuestion {
  /** The directory in which the program is to start. */
  readonly workspace?: string | undefined;
}

/** Undefined for a host that takes none. */
export function bidFor(lease: LeaseRecord, question: Uint8Array): Bid | undefined {
  const { name: host, epoch, duty, sessions, maxSessions, load } = lease;
  const { workspace } = (decodeMessage(question) ?? {}) as BidQuestion;
  if (duty !== "open" || sessions >= maxSessions) return undefined;
  const hasWorkspace = typeof workspace !== "string" || !isAbsolute(workspace) || existsSync(workspace);
  return { host, epoch, sessions, free: maxSessions - sessions, load, hasImage: true, hasWorkspace };
}
