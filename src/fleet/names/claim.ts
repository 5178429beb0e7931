/**
 * Claims on names of sessions. A name is unique within a project in the whole fleet. Pure.
 *
 * A host claims a name with a key of its own, `HOST.HASH`, so that no host can remove the claim of another one. NATS
 * numbers all claims in the order in which it stores them, and the first one wins. A host that writes the claim of a
 * running session again sets `isHeld`. Such a claim wins over new claims.
 */
import { createHash } from "node:crypto";
import { LimpetError } from "../../base/limpet-error.ts";
import { quoteLine } from "../../text/clean/quote-line.ts";
import { decodeMessage, encodeMessage } from "../link/open-messages.ts";
import type { BucketEntry } from "../nats/bus.ts";

/** The bucket with a key for each host and name. */
export const NAMES = "limpet-names";
/** NATS deletes an entry that was not written again for this long, such as the marker of a deleted claim. */
export const NAMES_MAX_AGE_MS: number = 30 * 24 * 60 * 60 * 1000;

export interface FleetName {
  /** Null for a session without a project. */
  readonly project: string | null;
  readonly name: string;
}

export interface Claim {
  readonly host: string;
  /** The number of the claim in the order in which NATS stored them. */
  readonly revision: number;
  /** A session with this name runs on the host. */
  readonly isHeld: boolean;
}

/** `unseen`: the claims were read from a replica that does not have our own claim yet. */
export type ClaimVerdict =
  | { readonly kind: "ours" }
  | { readonly kind: "taken"; readonly host: string }
  | { readonly kind: "unseen" };

/** Names that limpet gives to default shells of callers. They are unique only within a host. */
const OWN_NAMES = /^default(-\d+)?$/;

export function isShared(name: string): boolean {
  return !OWN_NAMES.test(name);
}

/** Hides the name from anyone who can read the keys. */
export function hashOf({ project, name }: FleetName): string {
  return createHash("sha256")
    .update(JSON.stringify([project, name]))
    .digest("hex")
    .slice(0, 32);
}

export function claimKey(host: string, hash: string): string {
  return `${host}.${hash}`;
}

export function encodeClaim(claim: { readonly epoch: number; readonly isHeld: boolean }): Uint8Array {
  return encodeMessage(claim);
}

/** A claim whose value cannot be read still counts. */
export function readClaim({ key, value, revision }: BucketEntry): Claim {
  const [host = ""] = key.split(".");
  return { host, revision, isHeld: decodeMessage(value)?.["isHeld"] === true };
}

/** `claims`: all claims of one name, read after our own claim was stored. */
export function judgeClaim(own: Pick<Claim, "host" | "revision">, claims: readonly Claim[]): ClaimVerdict {
  const isSeen = claims.some(({ host, revision }) => host === own.host && revision === own.revision);
  if (!isSeen) return { kind: "unseen" };
  const before = claims.filter(({ host, revision, isHeld }) => {
    const isEarlier = isHeld || revision < own.revision;
    return host !== own.host && isEarlier;
  });
  const first = before.find(({ isHeld }) => isHeld) ?? before[0];
  return first ? { kind: "taken", host: first.host } : { kind: "ours" };
}

export function nameTakenAt(host: string, name: string): LimpetError {
  return new LimpetError(
    "NAME_TAKEN",
    `${host} has a session named ${quoteLine(name)} in this project. Use it, close it, or choose another name.`,
  );
}
