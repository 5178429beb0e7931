/** Should this wait end now, and why? Pure: asked after each chunk and tick. */
import type { Cursor } from "../../base/cursor.ts";
import type { Exit } from "../../base/exit.ts";
import type { ListeningPort } from "../../linux/list-listening.ts";
import { describeBasis } from "../../probe/describe-basis.ts";
import type { InputVerdict } from "../../probe/judge-input-state.ts";
import type { PatternMatch } from "../../text/search/pattern.ts";
import type { Finish } from "../finishes.ts";

/** What is known at one moment. Times are on the clock of `performance.now()`. */
export interface WaitFacts {
  readonly nowMs: number;
  readonly startedMs: number;
  readonly lastOutputMs: number;
  readonly exit: Exit | undefined;
  /** Where output has been read up to. */
  readonly cursor: Cursor;
  readonly match: PatternMatch | undefined;
  /** Only when it is certain. */
  readonly input: InputVerdict | undefined;
  readonly listening: ListeningPort | undefined;
  /** A command of a prepared shell that has finished, and that this caller has not heard of. */
  readonly finished?: Finish | undefined;
}

export interface WaitLimits {
  readonly quietMs?: number | undefined;
  readonly deadlineMs?: number | undefined;
}

/** A pattern was found. */
export interface MatchReason {
  readonly reason: "matched";
  readonly text: string;
  /** The named groups that took part. */
  readonly groups: Readonly<Record<string, string>>;
  /** All groups in their order: `captures[0]` is the first. Null for one that took no part. */
  readonly captures: readonly (string | null)[];
}

/** Why a wait ended: exactly one reason. */
type WaitReason =
  | MatchReason
  | { readonly reason: "exited"; readonly exit: Exit }
  | { readonly reason: "finished"; readonly exitCode: number | null; readonly cwd: string }
  | { readonly reason: "input"; readonly waitingFor: "line" | "password" | "key"; readonly evidence: string }
  | { readonly reason: "listening"; readonly port: number; readonly address: string }
  | { readonly reason: "quiet"; readonly silentMs: number }
  | { readonly reason: "deadline" };

/** What ended a wait, and where output had been read up to: the place to go on from. */
export type WaitResult = WaitReason & { readonly cursor: Cursor };

/**
 * A match comes first: it lies in the output before whatever else has happened since, so the answer does not depend on
 * who was faster. Exit comes next, for nothing can follow it.
 */
export function decideWait(facts: WaitFacts, limits: WaitLimits): WaitResult | undefined {
  const reason = decideReason(facts, limits);
  return reason && { ...reason, cursor: facts.cursor };
}

function decideReason(facts: WaitFacts, limits: WaitLimits): WaitReason | undefined {
  const { match, exit, finished, input, listening } = facts;
  if (match) return { reason: "matched", text: match.text, groups: match.groups ?? {}, captures: match.captures ?? [] };
  if (exit) return { reason: "exited", exit };
  if (finished) return { reason: "finished", exitCode: finished.exitCode, cwd: finished.cwd };
  if (input && input.state !== "none" && input.state !== "unknown") {
    return { reason: "input", waitingFor: input.state, evidence: describeBasis(input.basis) };
  }
  if (listening) return { reason: "listening", port: listening.port, address: listening.address };
  if (limits.quietMs !== undefined) {
    const silentMs = facts.nowMs - silentSince(facts);
    if (silentMs >= limits.quietMs) return { reason: "quiet", silentMs };
  }
  const isLate = limits.deadlineMs !== undefined && facts.nowMs - facts.startedMs >= limits.deadlineMs;
  return isLate ? { reason: "deadline" } : undefined;
}

/** Pure: when to ask again although nothing happened; Infinity where only an event can help. */
export function nextAskMs(facts: WaitFacts, { quietMs, deadlineMs }: WaitLimits): number {
  const quietAtMs = quietMs === undefined ? Number.POSITIVE_INFINITY : silentSince(facts) + quietMs;
  const lateAtMs = deadlineMs === undefined ? Number.POSITIVE_INFINITY : facts.startedMs + deadlineMs;
  return Math.min(quietAtMs, lateAtMs);
}

/** Silence from before the call says nothing about what the call started. */
function silentSince({ startedMs, lastOutputMs }: WaitFacts): number {
  return Math.max(startedMs, lastOutputMs);
}
