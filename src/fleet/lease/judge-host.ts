/**
 * The state of a host, from what a door has received. All times are from the door's own monotonic clock. The clocks of
 * other machines are not used.
 *
 * A host is `lost` only if that is final: it runs in a later epoch, or an operator has given this epoch up, so that the
 * host may not use it again. A silent host is `unreachable`, however long that lasts.
 */

/** How often a host renews its lease. The lease expires when three renewals in a row are lost. */
export const LEASE_RENEWAL_MS = 5_000;
/** A lease that is not renewed for this long expires. */
export const LEASE_MS = 15_000;

/** `draining` and `cordoned` hosts are up but accept no new sessions. A draining host is about to be shut down. */
export type HostState = "up" | "draining" | "cordoned" | "unreachable" | "lost";

/** A lease as this door has received it. */
export interface SeenLease {
  readonly epoch: number;
  /** What the host reports about itself. */
  readonly duty: "open" | "draining" | "cordoned";
  /** When this door received its last renewal, by the clock of `nowMs`. */
  readonly seenMs: number;
  /** How long it is valid from then on. Default: `LEASE_MS`. */
  readonly validMs?: number | undefined;
}

/** The part of a host's entry that stays when its lease expires. */
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
  // A lease of an earlier epoch comes from a process that has been replaced.
  const isHeld = lease !== undefined && lease.epoch === epoch && nowMs - lease.seenMs < (lease.validMs ?? LEASE_MS);
  if (!isHeld) return "unreachable";
  return lease.duty === "open" ? "up" : lease.duty;
}

/** Zero if nothing is known. The first epoch is 1. Pure. */
export function latestEpoch(lease: SeenLease | undefined, member: MemberEntry | undefined): number {
  return Math.max(lease?.epoch ?? 0, member?.epoch ?? 0);
}
