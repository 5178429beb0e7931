/** How many sessions of one caller or project a host has. Each host writes its counts for the other hosts. Pure. */
import { createHash } from "node:crypto";
import { decodeMessage, encodeMessage } from "../link/open-messages.ts";
import type { BucketEntry } from "../nats/bus.ts";
import type { Share } from "./quotas.ts";

/** The bucket with a key for each host and share, `HASH.HOST`. A host can write only its own counts. */
export const COUNTS = "limpet-counts";
/** NATS deletes a count that was not written again for this long. */
export const COUNTS_MAX_AGE_MS: number = 30 * 24 * 60 * 60 * 1000;

export interface SessionCount {
  readonly running: number;
  /** Sessions that are about to start. They may still be refused. */
  readonly starting: number;
}

/** `full`: running sessions have used up the quota. `contended`: running and starting sessions together exceed it. */
export type CountVerdict = "free" | "contended" | "full";

/** Hides the name from anyone who can read the keys. */
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

/** A value that is not a number counts as 0. */
export function readCount({ value }: BucketEntry): SessionCount {
  const { running, starting } = decodeMessage(value) ?? {};
  return { running: asCount(running), starting: asCount(starting) };
}

/** `counts`: those of all hosts. They include the requested session as a starting one. */
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
