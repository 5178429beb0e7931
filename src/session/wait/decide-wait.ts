/** Pure: decides whether a wait ends now, and why. Called after each chunk of output and each tick. */
import type { Cursor } from "../../base/cursor.ts";
import type { Exit } from "../../base/exit.ts";
import type { ListeningPort } from "../../linux/files/list-listening.ts";
import { describeBasis } from "../../probe/describe-basis.ts";
import type { InputVerdict } from "../../probe/judge-input-state.ts";
import type { PatternMatch } from "../../text/search/pattern.ts";
import type { Finish } from "../finishes.ts";

/** What is known at one moment. Times use the clock of `performance.now()`. */
export interface WaitFacts {
  readonly nowMs: number;
  readonly startedMs: number;
  readonly lastOutputMs: number;
  readonly exit: Exit | undefined;
  /** The cursor up to which output has been read. */
  readonly cursor: Cursor;
  readonly match: PatternMatch | undefined;
  /** Set only if it is certain. */
  readonly input: InputVerdict | undefined;
  readonly listening: ListeningPort | undefined;
  /** A finished command of a prepared shell that this caller does not know about yet. */
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
  /** The named groups that matched. */
  readonly groups: Readonly<Record<string, string>>;
  /** All groups in order: `captures[0]` is the first. Null for a group that did not match. */
  readonly captures: readonly (string | null)[];
}

/** What a program waits for. `unknown`: it seems to wait, but a program in between, such as `ssh`, hides what for. */
export type WaitedFor = "line" | "password" | "key" | "unknown";

/** Why a wait ended: exactly one reason. */
type WaitReason =
  | MatchReason
  | { readonly reason: "exited"; readonly exit: Exit }
  | {
      readonly reason: "finished";
      readonly exitCode: number | null;
      readonly cwd: string;
      /** The kernel killed a process for lack of memory while the command ran, and the exit code is that of SIGKILL. */
      readonly outOfMemory?: true;
    }
  | { readonly reason: "input"; readonly waitingFor: WaitedFor; readonly evidence: string }
  | { readonly reason: "listening"; readonly port: number; readonly address: string }
  | { readonly reason: "quiet"; readonly silentMs: number }
  /** All sessions of the wait are shells that run no command. */
  | { readonly reason: "idle" }
  | { readonly reason: "deadline" };

/** Why a wait ended, and the cursor up to which output was read, from which to continue. */
export type WaitResult = WaitReason & { readonly cursor: Cursor };

/**
 * A match comes first: it is in the output before anything that happened since, so the result does not depend on
 * timing. Exit comes next, because nothing can follow it.
 */
export function decideWait(facts: WaitFacts, limits: WaitLimits): WaitResult | undefined {
  const reason = decideReason(facts, limits);
  return reason && { ...reason, cursor: facts.cursor };
}

function decideReason(facts: WaitFacts, limits: WaitLimits): WaitReason | undefined {
  const { match, exit, finished, input, listening } = facts;
  if (match) return { reason: "matched", text: match.text, groups: match.groups ?? {}, captures: match.captures ?? [] };
  if (exit) return { reason: "exited", exit };
  if (finished) {
    const { exitCode, cwd, outOfMemory } = finished;
    return { reason: "finished", exitCode, cwd, ...(outOfMemory ? { outOfMemory } : {}) };
  }
  if (input && isInput(input)) {
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

/** Whether a trusted verdict says that the program waits for input. False if nothing is known about the program. */
export function isInput(verdict: InputVerdict): verdict is InputVerdict & { readonly state: WaitedFor } {
  return verdict.state === "unknown" ? verdict.certainty === "quiet" : verdict.state !== "none";
}

/** Pure: when to decide again if nothing happens; Infinity if only an event can end the wait. */
export function nextDecisionMs(facts: WaitFacts, { quietMs, deadlineMs }: WaitLimits): number {
  const quietAtMs = quietMs === undefined ? Number.POSITIVE_INFINITY : silentSince(facts) + quietMs;
  const lateAtMs = deadlineMs === undefined ? Number.POSITIVE_INFINITY : facts.startedMs + deadlineMs;
  return Math.min(quietAtMs, lateAtMs);
}

/** Silence from before the call does not count. */
function silentSince({ startedMs, lastOutputMs }: WaitFacts): number {
  return Math.max(startedMs, lastOutputMs);
}
