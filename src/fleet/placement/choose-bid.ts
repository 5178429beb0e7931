/**
 * Chooses the host for a session from bids. The choice depends only on the bids and the request, not on the order of
 * the bids or on the door.
 *
 * Of three randomly drawn bids, the one of the emptiest host wins. Choosing the emptiest of all hosts would balance
 * better if sessions were placed one by one. But doors decide at the same time, and all of them would choose the same
 * host.
 */
import type { Bid } from "./bid.ts";
import { draw } from "./draw.ts";

const DRAWN = 3;
/**
 * A host that has what the session needs is preferred while less than this share of it is in use. Above that, other
 * hosts share the work.
 */
const CALM_SHARE = 0.75;
/** At this load average per processor, programs start to wait for each other. */
const CALM_LOAD = 1;

export interface BidRequest {
  readonly requestId: string;
  /**
   * Sessions that this door has placed in the last seconds, by host. A bid may not include this work yet. It is only
   * used to choose between hosts that have room.
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
  // If several are equal, the first drawn one wins.
  const best = drawn.reduce<Offer | undefined>(
    (one, other) => (one && one.share <= other.share ? one : other),
    undefined,
  );
  return best?.bid;
}

interface Offer {
  readonly bid: Bid;
  /** The share of the host's sessions that is in use: 0 to 1. */
  readonly used: number;
  /** The same, including sessions that were placed there recently. */
  readonly share: number;
}

/** The bids of the most preferred group that is not empty. */
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
