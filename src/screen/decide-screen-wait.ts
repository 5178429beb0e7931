/** Should a wait for the screen end now, and why? Pure: asked whenever the screen may have changed, and at set times. */
import type { Exit } from "../base/exit.ts";
import type { MatchReason } from "../session/wait/decide-wait.ts";
import type { PatternMatch } from "../text/search/pattern.ts";

/** What is known at one moment. Times are on the clock of `performance.now()`. */
export interface ScreenFacts {
  readonly nowMs: number;
  readonly startedMs: number;
  /** When the screen was last seen to differ. */
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

/** A match comes first, for it is there to be seen whatever else has happened; then exit, for nothing can follow it. */
export function decideScreenWait(facts: ScreenFacts, limits: ScreenLimits): ScreenReason | undefined {
  const { match, exit, nowMs } = facts;
  if (match) return { reason: "matched", text: match.text, groups: match.groups ?? {}, captures: match.captures ?? [] };
  if (exit) return { reason: "exited", exit };
  const unchangedMs = nowMs - unchangedSince(facts);
  if (limits.stableMs !== undefined && unchangedMs >= limits.stableMs) return { reason: "stable", unchangedMs };
  const isLate = limits.deadlineMs !== undefined && nowMs - facts.startedMs >= limits.deadlineMs;
  return isLate ? { reason: "deadline" } : undefined;
}

/** When to ask again although nothing happened; Infinity where only an event can help. */
export function nextScreenAskMs(facts: ScreenFacts, { stableMs, deadlineMs }: ScreenLimits): number {
  const stableAtMs = stableMs === undefined ? Number.POSITIVE_INFINITY : unchangedSince(facts) + stableMs;
  const lateAtMs = deadlineMs === undefined ? Number.POSITIVE_INFINITY : facts.startedMs + deadlineMs;
  return Math.min(stableAtMs, lateAtMs);
}

/** That nothing changed before the call says nothing about what the call was made for. */
function unchangedSince({ startedMs, changedMs }: ScreenFacts): number {
  return Math.max(startedMs, changedMs);
}
