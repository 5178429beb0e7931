/** How many sessions a host has of one caller or project, as it writes them for the other hosts. Pure. */
import { createHash } from "node:crypto";
import { decodeMessage, encodeMessage } from "../link/open-messages.ts";
import type { BucketEntry } from "../nats/bus.ts";
import type { Share } from "./quotas.ts";

/** A key for each host and share, `HASH.HOST`: a host can write only its own numbers. */
export const COUNTS = "limpet-counts";
/** What nobody has written again for so long is forgotten. */
export const COUNTS_MAX_AGE_MS: number = 30 * 24 * 60 * 60 * 1000;

export interface SessionCount {
  readonly running: number;
  /** Sessions that are about to be started, and may be refused yet. */
  readonly starting: number;
}

/** `full`: sessions that run have used it up. `contended`: those that others are about to start would. */
export type CountVerdict = "free" | "contended" | "full";

/** Nobody who reads the keys can read the names. */
export function hashOfShare({ what, name }: Pick<Share, "what" | "name">): string {
  return createHash("sha256")
    .update(JSON.stringify([what, name]))
    .digest("hex")
    .slice(0, 32);
}

export function countKey(hash: string, host: string): string {
  return `${hash}.${host}`;
}

export function encodeCount(count: SessionCount): Uint8Array {
  return encodeMessage(count);
}

/** What is not a number counts as nothing. */
export function readCount({ value }: BucketEntry): SessionCount {
  const { running, starting } = decodeMessage(value) ?? {};
  return { running: asCount(running), starting: asCount(starting) };
}

/** `counts`: those of all hosts, with the session that is asked for among the starting ones. */
export function judgeCounts(most: number, counts: readonly SessionCount[]): CountVerdict {
  const { running, starting } = sumOf(counts);
  if (running >= most) return "full";
  return running + starting > most ? "contended" : "free";
}

export function sumOf(counts: readonly SessionCount[]): SessionCount {
  return {
    running: counts.reduce((sum, { running }) => sum + running, 0),
    starting: counts.reduce((sum, { starting }) => sum + starting, 0),
  };
}

function asCount(value: unknown): number {
  return Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : 0;
}
