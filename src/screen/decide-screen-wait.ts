/**
 * Decides whether a wait for the screen ends now, and why. Pure: called when the screen may have changed, and at set
 * times.
 */
import type { Exit } from "../base/exit.ts";
import type { MatchReason } from "../session/wait/decide-wait.ts";
import type { PatternMatch } from "../text/search/pattern.ts";

/** What is known at one moment. Times are on the clock of `performance.now()`. */
export interface ScreenFacts {
  readonly nowMs: number;
  readonly startedMs: number;
  /** When the screen last changed. */
  readonly changedMs: number;
  readonly match: PatternMatch | undefined;
  readonly exit: Exit | undefined;
}

export interface ScreenLimits {
  readonly stableMs?: number | undefined;
  readonly deadlineMs?: number | undefined;
}

/** Why a wait for the screen ended: exactly one reason. */
export type ScreenReason =
  | MatchReason
  | { readonly reason: "exited"; readonly exit: Exit }
  | { readonly reason: "stable"; readonly unchangedMs: number }
  | { readonly reason: "deadline" };

/** A match wins, because it is on the screen whatever else has happened; then exit, because nothing can follow it. */
export function decideScreenWait(facts: ScreenFacts, limits: ScreenLimits): ScreenReason | undefined {
  const { match, exit, nowMs } = facts;
  if (match) return { reason: "matched", text: match.text, groups: match.groups ?? {}, captures: match.captures ?? [] };
  if (exit) return { reason: "exited", exit };
  const unchangedMs = nowMs - unchangedSince(facts);
  if (limits.stableMs !== undefined && unchangedMs >= limits.stableMs) return { reason: "stable", unchangedMs };
  const isLate = limits.deadlineMs !== undefined && nowMs - facts.startedMs >= limits.deadlineMs;
  return isLate ? { reason: "deadline" } : undefined;
}

/** When to decide again if nothing happens until then; Infinity if only an event can end the wait. */
export function nextScreenAskMs(facts: ScreenFacts, { stableMs, deadlineMs }: ScreenLimits): number {
  const stableAtMs = stableMs === undefined ? Number.POSITIVE_INFINITY : unchangedSince(facts) + stableMs;
  const lateAtMs = deadlineMs === undefined ? Number.POSITIVE_INFINITY : facts.startedMs + deadlineMs;
  return Math.min(stableAtMs, lateAtMs);
}

/** Silence from before this call says nothing about what the caller waits for. */
function unchangedSince({ startedMs, changedMs }: ScreenFacts): number {
  return Math.max(startedMs, changedMs);
}
