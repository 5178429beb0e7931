/**
 * The state of a host, from what a door has received. All times are of the door's own clock, which never jumps: the
 * clocks of other machines decide nothing.
 *
 * A host is `lost` only if that cannot be revoked: it runs in a later epoch, or an operator gave this one up, after
 * which the host may not use it. A host that is merely silent is `unreachable`, however long that lasts.
 */

/** How often a host renews its lease: three renewals may be lost before the lease is. */
export const LEASE_RENEWAL_MS = 5_000;
/** A lease that was not renewed for this long is gone. */
export const LEASE_MS = 15_000;

/** `draining` and `cordoned` hosts are up, and take no new sessions. A draining one is about to be switched off. */
export type HostState = "up" | "draining" | "cordoned" | "unreachable" | "lost";

/** A lease as it arrived at this door. */
export interface SeenLease {
  readonly epoch: number;
  /** What the host says of itself. */
  readonly duty: "open" | "draining" | "cordoned";
  /** When this door received its last renewal, by the clock of `nowMs`. */
  readonly seenMs: number;
  /** How long it is valid from then on. Default: `LEASE_MS`. */
  readonly validMs?: number | undefined;
}

/** What outlives the lease. */
export interface MemberEntry {
  /** The last epoch in which the host has registered. */
  readonly epoch: number;
  /** Set by an operator: this epoch and those before it are given up. */
  readonly givenUpEpoch?: number | undefined;
}

interface HostFacts {
  readonly lease: SeenLease | undefined;
  readonly member: MemberEntry | undefined;
  readonly nowMs: number;
}

/** Pure. */
export function judgeHost({ lease, member, nowMs }: HostFacts): HostState {
  const epoch = latestEpoch(lease, member);
  if (epoch <= (member?.givenUpEpoch ?? 0)) return "lost";
  // A lease of an earlier epoch is the last word of a process that has been replaced.
  const isHeld = lease !== undefined && lease.epoch === epoch && nowMs - lease.seenMs < (lease.validMs ?? LEASE_MS);
  if (!isHeld) return "unreachable";
  return lease.duty === "open" ? "up" : lease.duty;
}

/** Zero if nothing is known. Epochs begin at 1. Pure. */
export function latestEpoch(lease: SeenLease | undefined, member: MemberEntry | undefined): number {
  return Math.max(lease?.epoch ?? 0, member?.epoch ?? 0);
}
