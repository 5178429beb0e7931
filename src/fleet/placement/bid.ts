import { decodeMessage } from "../link/open-messages.ts";

/** What a host offers when a door asks where a program can run. */
export interface Bid {
  readonly host: string;
  /** A start that was decided by this bid is for this epoch: a host that has restarted refuses it. */
  readonly epoch: number;
  /** How many sessions run there, with those that are starting. */
  readonly sessions: number;
  /** How many more sessions it takes. */
  readonly free: number;
  /** Its load average of the last minute, per processor. */
  readonly load: number;
  /** It has the container image that was asked for; true if none was. */
  readonly hasImage: boolean;
  /** It has the workspace that was asked for; true if none was. */
  readonly hasWorkspace: boolean;
}

const NO_BID_REASONS = ["full", "draining", "cordoned"] as const;

/** A host that takes no session says why: one that says nothing may be busy. */
export interface NoBid extends Pick<Bid, "sessions" | "load"> {
  readonly refused: (typeof NO_BID_REASONS)[number];
}

/** What a host answered; undefined for what is neither. It can speak only for itself. Pure. */
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
