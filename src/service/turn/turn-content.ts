/** What a turn reads of a session: a range of its output or its screen, now or again. */
import type { Cursor } from "../../base/cursor.ts";
import { screenOf } from "../../screen/screen.ts";
import { DEFAULT_MAX_TOKENS, type SessionReading } from "../../session/read/read-digest.ts";
import type { Session } from "../../session/session.ts";
import type { WaitResult } from "../../session/wait/decide-wait.ts";
import { droppedTextOf } from "./recent-turns.ts";
import type { ScreenView, TurnAnswer } from "./turn-answer.ts";
import type { TurnRead, TurnRequest } from "./turn-request.ts";

/** Where an unread part ends: at the end of the output, or at the match if that is asked for. */
export function endOfReading(read: TurnRead | undefined, result: WaitResult | null, end: Cursor): Cursor {
  const isAtMatch = read?.kind === "unread" && read.endAtMatch === true && result?.reason === "matched";
  return isAtMatch ? Math.min(end, result.cursor) : end;
}

/** The screen as it is now. */
export async function shownScreen(
  session: Session,
  read: Extract<TurnRead, { kind: "screen" }>,
): Promise<Pick<ScreenView, "modes" | "snapshot">> {
  const { kind: _kind, ...options } = read;
  const { snapshot, modes } = await screenOf(session).state(options);
  return { snapshot, modes };
}

/** The output up to `end`, in one of the forms of a range. */
export async function readRange(
  session: Session,
  read: Extract<TurnRead, { kind: "text" | "page" | "head" | "tail" }>,
  end: Cursor,
): Promise<SessionReading> {
  const to = Math.min(read.to ?? end, end);
  if (read.kind === "text") {
    const { kind: _kind, ...options } = read;
    return await session.text({ ...options, to });
  }
  if (read.kind === "page") {
    const { kind: _kind, ...options } = read;
    return await session.page({ ...options, to });
  }
  const { kind, lines, ...options } = read;
  return kind === "head"
    ? await session.head(lines, { ...options, to })
    : await session.tail(lines, { ...options, to });
}

/** An old answer keeps its ranges only; the journal and the screen have the rest. */
export async function restoreText(
  answer: TurnAnswer,
  session: Session,
  { on, read }: TurnRequest,
): Promise<TurnAnswer> {
  const { output, command } = answer;
  if (command && on.kind === "run") {
    const { maxTokens = DEFAULT_MAX_TOKENS, fold = false, tag } = on.run;
    const { text } = await session.text({ from: command.from, to: command.to, fold, maxTokens, tag });
    return { ...answer, command: { ...command, output: text, stdout: text } };
  }
  if (read?.kind === "screen") {
    const reason = droppedTextOf(answer)?.screenReason ?? null;
    return { ...answer, screen: { ...(await shownScreen(session, read)), before: null, reason } };
  }
  if (read?.kind === "search") {
    const { kind: _kind, pattern, ...options } = read;
    return { ...answer, matches: await session.grep(pattern, options) };
  }
  if (!output || !read) return answer;
  const { kind: _kind, ...options } = read;
  const { text } = await session.text({ ...options, from: output.from, to: output.next });
  return { ...answer, output: { ...output, text } };
}
