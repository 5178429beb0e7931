/** Sessions in a few words, for people. Pure. */

import { constants } from "node:os";
import type { Exit } from "../base/exit.ts";
import type { SessionSummary } from "../service/session-service.ts";
import { describeJournal } from "../tools/describe-around.ts";
import { SIGNAL_BASE } from "./exit-codes.ts";

const GAP_MARK = "!";

/** As a shell has it in `$?`. */
export function exitCodeOfProgram(exit: Exit): number {
  if (exit.kind === "code") return exit.code;
  return exit.kind === "signal" ? SIGNAL_BASE + (constants.signals[exit.signal as NodeJS.Signals] ?? 0) : 1;
}

export function describeName({ id, name }: { readonly id: number; readonly name: string | null }): string {
  return name === null ? String(id) : `${id} (${name})`;
}

/** Its program lives. */
export function isRunning({ exit, lost }: SessionSummary): boolean {
  return exit === null && !lost;
}

export function stateOf({ exit, held, lost }: SessionSummary): string {
  if (lost) return "lost";
  if (exit) return exit.kind === "code" ? `exit ${exit.code}` : exit.kind === "signal" ? exit.signal : "ended";
  return held ? "held" : "running";
}

export function describeAge(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 100) return `${seconds}s`;
  if (seconds < 6000) return `${Math.floor(seconds / 60)}m`;
  return seconds < 360_000 ? `${Math.floor(seconds / 3600)}h` : `${Math.floor(seconds / 86_400)}d`;
}

/** With a mark where some of it is not on disk, and will be gone with its host. */
export function describeOutput({ outputBytes, journal }: Pick<SessionSummary, "outputBytes" | "journal">): string {
  return `${describeBytes(outputBytes)}${journal?.kind === "degraded" ? GAP_MARK : ""}`;
}

/** What the mark means, a line for each session that has one. */
export function describeGaps(sessions: readonly SessionSummary[]): string[] {
  return sessions.flatMap((session) =>
    session.journal?.kind === "degraded"
      ? [`${GAP_MARK} ${describeName(session)}: ${describeJournal(session.journal)}`]
      : [],
  );
}

export function describeBytes(bytes: number): string {
  const units = ["B", "K", "M", "G", "T"];
  let value = bytes;
  let unit = 0;
  for (; value >= 1000 && unit < units.length - 1; unit += 1) value /= 1024;
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)}${units[unit] ?? ""}`;
}
