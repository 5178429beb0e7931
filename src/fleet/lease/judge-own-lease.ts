/**
 * What a host may still believe of its own lease. A process that was stopped for a minute wakes up with a lease that
 * has expired, and must not serve anyone through the fleet before it has renewed it.
 */
import { LEASE_MS, LEASE_RENEWAL_MS, type MemberEntry } from "./judge-host.ts";

/**
 * `held`: nothing to do. `due`: renew it; serve meanwhile. `expired`: renew it, and serve nobody through the fleet
 * until that has succeeded. `fenced`: another process runs in a later epoch, or an operator gave this one up; never
 * serve again.
 */
export type OwnLease = "held" | "due" | "expired" | "fenced";

interface OwnFacts {
  /** The epoch of this process. */
  readonly epoch: number;
  /** When the last renewal that succeeded was sent, by a clock that never jumps and counts while the machine sleeps. */
  readonly renewedMs: number | undefined;
  /** The entry of this host, as it was found by the last renewal that failed or succeeded. */
  readonly member: MemberEntry | undefined;
  readonly nowMs: number;
  /** How long a lease is valid. Default: `LEASE_MS`. */
  readonly leaseMs?: number | undefined;
}

/** Pure. */
export function judgeOwnLease({ epoch, renewedMs, member, nowMs, leaseMs = LEASE_MS }: OwnFacts): OwnLease {
  if ((member?.epoch ?? 0) > epoch || (member?.givenUpEpoch ?? 0) >= epoch) return "fenced";
  // Counted from when it was sent: doors count from when they received it, which is later.
  const ageMs = renewedMs === undefined ? Number.POSITIVE_INFINITY : nowMs - renewedMs;
  if (ageMs >= leaseMs) return "expired";
  return ageMs >= LEASE_RENEWAL_MS ? "due" : "held";
}
