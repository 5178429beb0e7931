/**
 * What hosts write into NATS, as JSON: a lease that expires, and an entry that stays. Read from others, so every field
 * is checked. All of it can be written again by the hosts. Pure.
 */
import { decodeMessage } from "../link/open-messages.ts";
import { isFleetName } from "../subjects.ts";

/** A key for each host; a lease is gone after `LEASE_MS`. */
export const LEASES = "limpet-hosts";
/** A key for each host that ever joined. */
export const MEMBERS = "limpet-members";

export const DUTIES = ["open", "draining", "cordoned"] as const;
/** Whether a host takes new sessions: only an open one does. A draining one is about to be switched off. */
export type Duty = (typeof DUTIES)[number];

export interface LeaseRecord {
  readonly name: string;
  readonly epoch: number;
  /** Different for each start of a host. */
  readonly instance: string;
  readonly duty: Duty;
  readonly labels: readonly string[];
  /** Sessions whose program runs, and the most that there can be. */
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
  /** Who may register under this name, as `HostKey.publicKey`. */
  readonly publicKey: string;
  readonly duty: Duty;
  readonly labels: readonly string[];
  readonly sessions: number;
  /** Milliseconds since 1970, by the clock of the host. For people only. */
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
