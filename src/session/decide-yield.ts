/** Should this wait end now, and why? Pure: asked after each chunk and tick. */
import type { PatternMatch } from "../output/pattern.ts";
import type { ListeningPort } from "../pty/listening.ts";
import type { Exit } from "../pty/reap.ts";
import type { InputVerdict } from "./input-state.ts";
import type { Cursor } from "./journal.ts";

/** What is known at one moment. Times are on the clock of `performance.now()`. */
export interface WaitFacts {
  readonly nowMs: number;
  readonly startedMs: number;
  readonly lastOutputMs: number;
  readonly exit: Exit | undefined;
  readonly match: (PatternMatch & { readonly cursor: Cursor }) | undefined;
  /** Only when it is certain. */
  readonly input: InputVerdict | undefined;
  readonly listening: ListeningPort | undefined;
}

export interface WaitLimits {
  readonly quietMs: number | undefined;
  readonly deadlineMs: number | undefined;
}

/** Why a wait ended: exactly one reason. */
export type Yield =
  | {
      readonly reason: "matched";
      readonly text: string;
      readonly groups: Readonly<Record<string, string>>;
      readonly cursor: Cursor;
    }
  | { readonly reason: "exited"; readonly exit: Exit }
  | { readonly reason: "input"; readonly waitingFor: "line" | "password" | "key"; readonly evidence: string }
  | { readonly reason: "listening"; readonly port: number; readonly address: string }
  | { readonly reason: "quiet"; readonly silentMs: number }
  | { readonly reason: "deadline" };

/**
 * A match comes first: it lies in the output before whatever else has happened since, so the answer does not depend on
 * who was faster. Exit comes next, for nothing can follow it.
 */
export function decideYield(facts: WaitFacts, limits: WaitLimits): Yield | undefined {
  const { match, exit, input, listening } = facts;
  if (match) return { reason: "matched", text: match.text, groups: match.groups ?? {}, cursor: match.cursor };
  if (exit) return { reason: "exited", exit };
  if (input && input.state !== "none" && input.state !== "unknown") {
    return { reason: "input", waitingFor: input.state, evidence: input.evidence };
  }
  if (listening) return { reason: "listening", port: listening.port, address: listening.address };
  // Silence from before this call says nothing about what the call started.
  const silentMs = facts.nowMs - Math.max(facts.startedMs, facts.lastOutputMs);
  if (limits.quietMs !== undefined && silentMs >= limits.quietMs) return { reason: "quiet", silentMs };
  const isLate = limits.deadlineMs !== undefined && facts.nowMs - facts.startedMs >= limits.deadlineMs;
  return isLate ? { reason: "deadline" } : undefined;
}

/** Pure: when to ask again although nothing happened; undefined where only an event can help. */
export function nextAskMs(facts: WaitFacts, limits: WaitLimits): number | undefined {
  const times = [
    limits.quietMs === undefined ? undefined : Math.max(facts.startedMs, facts.lastOutputMs) + limits.quietMs,
    limits.deadlineMs === undefined ? undefined : facts.startedMs + limits.deadlineMs,
  ].filter((time) => time !== undefined);
  return times.length > 0 ? Math.min(...times) : undefined;
}
