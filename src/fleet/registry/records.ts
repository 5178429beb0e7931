/**
 * What hosts write to NATS as JSON: a lease that expires, and an entry that stays. Every field is checked when it is
 * read. Hosts can write all of it again if NATS loses it. Pure.
 */
import { decodeMessage } from "../link/open-messages.ts";
import { isFleetName } from "../subjects.ts";

/** The bucket with the leases, one key per host. A lease expires after `LEASE_MS`. */
export const LEASES = "limpet-hosts";
/** The bucket with the entries, one key for each host that ever joined. */
export const MEMBERS = "limpet-members";

export const DUTIES = ["open", "draining", "cordoned"] as const;
/** Whether a host accepts new sessions: only if it is open. A draining host is about to be shut down. */
export type Duty = (typeof DUTIES)[number];

export interface LeaseRecord {
  readonly name: string;
  readonly epoch: number;
  /** Different for each start of a host. */
  readonly instance: string;
  readonly duty: Duty;
  readonly labels: readonly string[];
  /** The number of running sessions, and the highest number allowed. */
  readonly sessions: number;
  readonly maxSessions: number;
  /** Its load average of the last minute, per processor. */
  readonly load: number;
  /** How long the lease is valid. */
  readonly validMs: number;
  readonly version: string;
  readonly protocol: number;
}

export interface MemberRecord {
  readonly name: string;
  /** The last epoch in which the host has registered. */
  readonly epoch: number;
  readonly instance: string;
  /** The key that may register under this name: see `HostKey.publicKey`. */
  readonly publicKey: string;
  readonly duty: Duty;
  readonly labels: readonly string[];
  readonly sessions: number;
  /** Milliseconds since 1970, by the clock of the host. Only shown, never compared. */
  readonly lastSeenMs: number;
  /** Set by an operator: this epoch and those before it are given up. */
  readonly givenUpEpoch?: number | undefined;
}

export function readLease(data: Uint8Array): LeaseRecord | undefined {
  const given = decodeMessage(data) as Partial<LeaseRecord> | undefined;
  if (!given || !isRecord(given)) return undefined;
  const { maxSessions, load, version, protocol, validMs } = given;
  if (!areCounts(maxSessions, protocol, validMs) || typeof load !== "number" || typeof version !== "string")
    return undefined;
  return given as LeaseRecord;
}

export function readMember(data: Uint8Array): MemberRecord | undefined {
  const given = decodeMessage(data) as Partial<MemberRecord> | undefined;
  if (!given || !isRecord(given)) return undefined;
  const { publicKey, lastSeenMs, givenUpEpoch = 0 } = given;
  return typeof publicKey === "string" && areCounts(lastSeenMs, givenUpEpoch) ? (given as MemberRecord) : undefined;
}

function isRecord({ name, epoch, instance, duty, labels, sessions }: Partial<LeaseRecord>): boolean {
  const areLabels = Array.isArray(labels) && labels.every((label) => typeof label === "string");
  const isNamed = isFleetName(name) && typeof instance === "string";
  return isNamed && areLabels && areCounts(epoch, sessions) && DUTIES.some((known) => known === duty);
}

function areCounts(...values: readonly unknown[]): boolean {
  return values.every((value) => Number.isSafeInteger(value) && (value as number) >= 0);
}
