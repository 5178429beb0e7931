/**
 * Names of sessions, which are unique within a project in the whole fleet. Pure.
 *
 * A host claims a name under a key of its own, `HOST.HASH`, so that no host can take away the name of another one. NATS
 * numbers all claims in the order in which it stored them: the first one wins. A host that rewrites the claim of a
 * session that runs says so, and comes before everybody who wants the name now.
 */
import { createHash } from "node:crypto";
import { LimpetError } from "../../base/limpet-error.ts";
import { quoteLine } from "../../text/clean/quote-line.ts";
import { decodeMessage, encodeMessage } from "../link/open-messages.ts";
import type { BucketEntry } from "../nats/bus.ts";

/** A key for each host and name. */
export const NAMES = "limpet-names";
/** What nobody has written again for so long is forgotten, such as the marks of names that were given back. */
export const NAMES_MAX_AGE_MS: number = 30 * 24 * 60 * 60 * 1000;

export interface FleetName {
  /** Null for a session of no project. */
  readonly project: string | null;
  readonly name: string;
}

export interface Claim {
  readonly host: string;
  /** Claims are numbered in the order in which NATS stored them. */
  readonly revision: number;
  /** A session with this name runs. */
  readonly isHeld: boolean;
}

/** `unseen`: what was read is older than the own claim. */
export type ClaimVerdict =
  | { readonly kind: "ours" }
  | { readonly kind: "taken"; readonly host: string }
  | { readonly kind: "unseen" };

/** Names that limpet itself gives to the default shells of callers: each host may have its own. */
const OWN_NAMES = /^default(-\d+)?$/;

export function isShared(name: string): boolean {
  return !OWN_NAMES.test(name);
}

/** Nobody who reads the keys can read the names. */
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

/** A claim that cannot be read counts all the same. */
export function readClaim({ key, value, revision }: BucketEntry): Claim {
  const [host = ""] = key.split(".");
  return { host, revision, isHeld: decodeMessage(value)?.["isHeld"] === true };
}

/** `claims`: all claims of one name, as they were read after the own one was stored. */
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
