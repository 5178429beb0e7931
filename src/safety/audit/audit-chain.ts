/**
 * The lines of the audit as a chain: each has a number and the hash of the line before it. Pure.
 *
 * A line that is changed, removed or inserted breaks the chain there. A chain alone cannot show that lines were removed
 * from its end, or that it was recomputed from some line on.
 */
import { createHash } from "node:crypto";
import type { AuditAct } from "./audit.ts";

/** The last line of a chain. */
export interface ChainEnd {
  readonly number: number;
  readonly hash: string;
}

/** Before the first line. */
export const CHAIN_START: ChainEnd = { number: 0, hash: "" };

/** A line that the log itself writes: what is missing, and why. */
export interface ChainNote {
  /** `torn`: the line before it is incomplete, because its writer was killed. `gap`: acts that were not written. */
  readonly event: "torn" | "gap";
  /** Of `torn`: the length of the incomplete line. */
  readonly bytes?: number;
  /** Of `gap`: how many acts. */
  readonly count?: number;
  readonly detail?: string;
}

/** What every line has besides its act. */
interface LineFacts {
  readonly time: string;
  /** The process that wrote it. */
  readonly pid: number;
}

export type AuditLine = { readonly n: number; readonly prev: string; readonly place: string } & LineFacts &
  (AuditAct | ChainNote);

/** The next line of a chain, without its line feed. */
export function nextLine(end: ChainEnd, act: AuditAct | ChainNote, facts: LineFacts): string {
  const { time, pid } = facts;
  return JSON.stringify({ n: end.number + 1, time, pid, place: "local", ...act, prev: end.hash });
}

export function endAfter(end: ChainEnd, line: string): ChainEnd {
  return { number: end.number + 1, hash: hashOf(line) };
}

export function hashOf(line: string): string {
  return createHash("sha256").update(line).digest("base64url");
}

/** Undefined if the text is not an audit record. */
export function parseLine(text: string): AuditLine | undefined {
  try {
    const line = JSON.parse(text) as Partial<AuditLine> | null;
    const isLine = typeof line?.n === "number" && typeof line.prev === "string" && typeof line.event === "string";
    return isLine ? (line as AuditLine) : undefined;
  } catch {
    return undefined;
  }
}
