import type { TurnAnswer } from "../service/turn/turn-answer.ts";
import type { WaitResult } from "../session/wait/decide-wait.ts";
import type { Reply } from "./session.ts";

/** The reply to what was typed, from the answer of a turn that waited and read. Pure. */
export function replyOf({ session, result, output }: TurnAnswer): Reply {
  const { reason, ...facts } = result as WaitResult;
  const isMatch = result?.reason === "matched";
  return {
    text: output?.text ?? "",
    reason,
    waitingFor: session.waitingFor,
    exit: session.exit,
    match: isMatch ? { text: result.text, groups: result.groups, captures: result.captures } : null,
    port: "port" in facts ? facts.port : null,
    droppedBytes: output?.droppedBytes ?? 0,
  };
}

/**
 * Removes the echo of the input from the beginning of a reply. Pure. A terminal echoes input, so the reply to "6 * 7\n"
 * begins with that line.
 */
export function withoutEcho(reply: string, typed: string): string {
  const echo = typed.replaceAll(/\r\n?/g, "\n");
  // Control characters are echoed in another form, so the reply does not start with them.
  if (echo.trim() === "" || !reply.startsWith(echo)) return reply;
  return reply.slice(echo.length);
}
