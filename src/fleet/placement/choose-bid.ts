/**
 * Which of the hosts that bid gets the session. The choice depends on the bids and the request only, not on their order
 * or on the door.
 *
 * Of three drawn bids, the one of the emptiest host wins. The emptiest of all would be more even if doors placed one
 * session after the other; they do not: all that decide at the same moment would choose the same host.
 */
import type { Bid } from "./bid.ts";
import { draw } from "./draw.ts";

const DRAWN = 3;
/** A host that has what the session needs is preferred while less of it is in use. Then the others share the work. */
const CALM_SHARE = 0.75;
/** From this load average per processor on, programs wait for each other. */
const CALM_LOAD = 1;

export interface BidRequest {
  readonly requestId: string;
  /**
   * Sessions that this door has placed in the last seconds, by host: work that a bid may not show, also if their
   * programs have ended. They only decide between hosts that have room.
   */
  readonly recent?: ReadonlyMap<string, number>;
}

/** Undefined if no host has room. Pure. */
export function chooseBid(bids: readonly Bid[], { requestId, recent }: BidRequest): Bid | undefined {
  const open = bids
    .filter(({ free }) => free > 0)
    .map((bid) => ({ bid, used: shareInUse(bid, 0), share: shareInUse(bid, recent?.get(bid.host) ?? 0) }))
    .sort((one, other) => (one.bid.host < other.bid.host ? -1 : 1));
  const drawn = draw(preferred(open), { count: DRAWN, text: requestId });
  // Among equals, the first drawn one wins.
  const best = drawn.reduce<Offer | undefined>(
    (one, other) => (one && one.share <= other.share ? one : other),
    undefined,
  );
  return best?.bid;
}

interface Offer {
  readonly bid: Bid;
  /** The share of the host that is in use: 0 to 1. */
  readonly used: number;
  /** The same with what was placed there recently. */
  readonly share: number;
}

/** The first of these groups that has a member. */
function preferred(open: readonly Offer[]): readonly Offer[] {
  const calm = open.filter(({ bid, used }) => used < CALM_SHARE && bid.load < CALM_LOAD);
  const groups = [
    calm.filter(({ bid }) => bid.hasWorkspace && bid.hasImage),
    calm.filter(({ bid }) => bid.hasWorkspace),
    calm.filter(({ bid }) => bid.hasImage),
    calm,
  ];
  return groups.find(({ length }) => length > 0) ?? open;
}

function shareInUse({ sessions, free }: Bid, more: number): number {
  return (sessions + more) / (sessions + free);
}
