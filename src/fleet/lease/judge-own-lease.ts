/**
 * Whether a host may still rely on its own lease. A process that was suspended for a minute has an expired lease when
 * it continues, and must not serve the fleet before it has renewed it.
 */
import { LEASE_MS, LEASE_RENEWAL_MS, type MemberEntry } from "./judge-host.ts";

/**
 * `held`: nothing to do. `due`: renew the lease, and serve meanwhile. `expired`: renew the lease, and do not serve the
 * fleet until that has succeeded. `fenced`: another process runs in a later epoch, or an operator has given this epoch
 * up. Never serve the fleet again.
 */
export type OwnLease = "held" | "due" | "expired" | "fenced";

interface OwnFacts {
  /** The epoch of this process. */
  readonly epoch: number;
  /** When the last successful renewal was sent, by a monotonic clock that also counts while the machine sleeps. */
  readonly renewedMs: number | undefined;
  /** The entry of this host, as the last renewal has read it. */
  readonly member: MemberEntry | undefined;
  readonly nowMs: number;
  /** How long a lease is valid. Default: `LEASE_MS`. */
  readonly leaseMs?: number | undefined;
}

/** Pure. */
export function judgeOwnLease({ epoch, renewedMs, member, nowMs, leaseMs = LEASE_MS }: OwnFacts): OwnLease {
  if ((member?.epoch ?? 0) > epoch || (member?.givenUpEpoch ?? 0) >= epoch) return "fenced";
  // Counted from the time of sending. Doors count from the time of receiving, which is later.
  const ageMs = renewedMs === undefined ? Number.POSITIVE_INFINITY : nowMs - renewedMs;
  if (ageMs >= leaseMs) return "expired";
  return ageMs >= LEASE_RENEWAL_MS ? "due" : "held";
}
