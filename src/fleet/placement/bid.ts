import { decodeMessage } from "../link/open-messages.ts";

/** The offer of a host to run a session, as an answer to a door. */
export interface Bid {
  readonly host: string;
  /**
   * The epoch of the host. A start that follows this bid is valid only in this epoch: a host that has restarted refuses
   * it.
   */
  readonly epoch: number;
  /** How many sessions run there, including those that are starting. */
  readonly sessions: number;
  /** How many more sessions it accepts. */
  readonly free: number;
  /** Its load average of the last minute, per processor. */
  readonly load: number;
  /** It has the requested container image; true if none was requested. */
  readonly hasImage: boolean;
  /** It has the requested workspace; true if none was requested. */
  readonly hasWorkspace: boolean;
}

const NO_BID_REASONS = ["full", "draining", "cordoned"] as const;

/** The answer of a host that accepts no session, with the reason. A host that does not answer may be busy. */
export interface NoBid extends Pick<Bid, "sessions" | "load"> {
  readonly refused: (typeof NO_BID_REASONS)[number];
}

/**
 * Reads the answer of a host; undefined for anything else. The name of the host is not read from the answer, so a host
 * can bid only for itself. Pure.
 */
export function readBid(host: string, data: Uint8Array): Bid | NoBid | undefined {
  const { epoch, free, sessions, load, hasImage, hasWorkspace, refused: given } = decodeMessage(data) ?? {};
  if (!isNumber(sessions) || !isNumber(load)) return undefined;
  const refused = NO_BID_REASONS.find((reason) => reason === given);
  if (refused !== undefined) return { refused, sessions, load };
  if (!isNumber(epoch) || !isNumber(free)) return undefined;
  return { host, epoch, free, sessions, load, hasImage: hasImage === true, hasWorkspace: hasWorkspace === true };
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}
