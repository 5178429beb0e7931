/** What a session does, in a few words for its tile, and whether a person should look at it. Pure. */
import { type Exit, isOutOfMemory } from "../../../base/exit.ts";
import { limitWords } from "../../../base/session-limits.ts";
import type { SessionSummary } from "../../../service/listing/session-summary.ts";

type Told = Pick<
  SessionSummary,
  "exit" | "lost" | "limits" | "left" | "frozen" | "held" | "waitingFor" | "isIdle" | "command" | "commandMs" | "ageMs"
>;

/** An agent answers the questions of its programs within this time, or does not at all. */
const UNANSWERED_MS = 60_000;
const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];

export function stateText(session: Told): string {
  const { exit, lost, limits, left, frozen, held, waitingFor, isIdle, commandMs, ageMs } = session;
  if (lost) return "lost with its host";
  if (exit) {
    const how = limits?.endedBy ? `ended by its limit of ${limitWords(limits.endedBy)}` : endText(exit);
    return left.length === 0 ? how : `${how}, left ${left.length} running`;
  }
  if (frozen) return "frozen";
  if (waitingFor === "password") return "waits for a password";
  if (held && !held.isTyping) return "held by a person";
  if (isIdle) return "idle";
  if (waitingFor === "line") return "waits for input";
  if (waitingFor === "key") return "waits for a key";
  return `running${durationText(commandMs ?? ageMs)}`;
}

function endText(exit: Exit): string {
  if (exit.kind === "lost") return "ended";
  const how = exit.kind === "code" ? `exited with ${exit.code}` : `killed by ${exit.signal}`;
  return isOutOfMemory(exit) ? `${how} (out of memory)` : how;
}

/** Empty below a minute: it would change with every list. */
function durationText(ms: number): string {
  if (ms < MINUTE_MS) return "";
  if (ms < HOUR_MS) return ` ${Math.floor(ms / MINUTE_MS)} min`;
  return ms < DAY_MS ? ` ${Math.floor(ms / HOUR_MS)} h` : ` ${Math.floor(ms / DAY_MS)} d`;
}

/**
 * A password, a request for approval, or a question of a command that nobody has answered for a while. `idleMs`: since
 * a caller last used it.
 */
export function needsPerson(session: Told & Pick<SessionSummary, "idleMs">, hasApproval: boolean): boolean {
  const { exit, lost, waitingFor, isIdle, command, idleMs, held } = session;
  if (exit || lost) return false;
  if (hasApproval || waitingFor === "password") return true;
  const isAsked = command !== null && !isIdle && (waitingFor === "line" || waitingFor === "key");
  return isAsked && !held && idleMs >= UNANSWERED_MS;
}
