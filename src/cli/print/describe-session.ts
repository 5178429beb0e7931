/** Describes sessions in a few words. Pure. */

import { isOutOfMemory } from "../../base/exit.ts";
import { keyOf } from "../../service/listing/session-key.ts";
import type { SessionName } from "../../service/listing/session-name.ts";
import type { SessionSummary } from "../../service/listing/session-summary.ts";
import { describeInside, describeJournal } from "../../tools/answer/describe-surroundings.ts";

const GAP_MARK = "!";

export function describeName(session: SessionName): string {
  const key = keyOf(session);
  return session.name === null ? String(key) : `${key} (${session.name})`;
}

/** Whether its program is still running. */
export function isRunning({ exit, lost }: SessionSummary): boolean {
  return exit === null && !lost;
}

export function stateOf({ exit, held, frozen, lost, isIdle, limits }: SessionSummary): string {
  if (lost) return "lost";
  // As short as a column: the limit says more than the signal.
  if (exit && limits?.endedBy) return `${limits.endedBy}!`;
  if (exit && isOutOfMemory(exit)) return "oom-killed";
  if (exit) return exit.kind === "code" ? `exit ${exit.code}` : exit.kind === "signal" ? exit.signal : "ended";
  if (frozen) return "frozen";
  if (held) return "held";
  return isIdle ? "idle" : "running";
}

/**
 * What runs in a session: the current command of a shell, the directory of an idle one, else the program. After an
 * arrow, the program in its foreground.
 */
export function describeActivity(
  session: Pick<SessionSummary, "program" | "command" | "directory" | "foreground">,
): string {
  const { program, command, directory, foreground } = session;
  // The command says what it runs.
  if (command !== null) return `❯ ${command}`;
  return `${directory === null ? program : `shell in ${directory}`}${describeInside(program, foreground)}`;
}

/** The size of the output, with a mark if some of it is not on disk and will be lost with the host. */
export function describeOutput({ outputBytes, journal }: Pick<SessionSummary, "outputBytes" | "journal">): string {
  return `${describeBytes(outputBytes)}${journal?.kind === "degraded" ? GAP_MARK : ""}`;
}

/** Explains the mark, one line per session that has it. */
export function describeGaps(sessions: readonly SessionSummary[]): string[] {
  return sessions.flatMap((session) =>
    session.journal?.kind === "degraded"
      ? [`${GAP_MARK} ${describeName(session)}: ${describeJournal(session.journal)}`]
      : [],
  );
}

/** Keeps the end of a long path, which says more than its beginning. */
export function describeFolder(
  path: string,
  { home, maxWidth }: { readonly home: string; readonly maxWidth: number },
): string {
  const short = path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
  if (short.length <= maxWidth) return short;
  const parts = short.split("/");
  const tails = parts.map((_, index) => `…/${parts.slice(index).join("/")}`);
  return tails.find((tail) => tail.length <= maxWidth) ?? parts.at(-1) ?? "";
}

export function describeBytes(bytes: number): string {
  const units = ["B", "K", "M", "G", "T"];
  let value = bytes;
  let unit = 0;
  for (; value >= 1000 && unit < units.length - 1; unit += 1) value /= 1024;
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)}${units[unit] ?? ""}`;
}
