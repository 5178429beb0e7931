/** Waits on a session, then answers with what is new: what `exec_command`, `write_stdin` and `wait_for` have in common. */

import type { SessionKey, SessionService, SessionState, WaitRequest } from "../service/session-service.ts";
import type { SessionReading } from "../session/read/read-digest.ts";
import type { WaitResult } from "../session/wait/decide-wait.ts";
import { type AboutSession, describeAround, lookAround } from "./about-session.ts";
import type { ToolContext } from "./define-tool.ts";
import type { CallResult } from "./describe-result.ts";
import { readUnread } from "./read-unread.ts";

export interface AnswerRequest extends Omit<WaitRequest, "keys" | "caller" | "signal"> {
  readonly keys: readonly SessionKey[];
  readonly maxTokens: number;
  readonly startedMs: number;
  readonly raw?: boolean;
  readonly fold?: boolean;
  /** Answers with this in place of the output, which stays unread. */
  readonly look?: (id: number) => Promise<Look>;
}

/** What stands in an answer for what the session printed. */
export type Look = Omit<SessionReading, "from" | "hiddenLines"> &
  Partial<Pick<SessionReading, "from" | "hiddenLines">> & { readonly notes?: readonly string[] };

export interface Answer extends AboutSession {
  readonly result: CallResult;
  /** Where the part that was cut begins. */
  readonly cutFrom: number | null;
  /** Lines that differ and were folded all the same, and from where on they can be read. */
  readonly hidden: { readonly lines: number; readonly from: number } | null;
}

export async function answerAfterWait(context: ToolContext, request: AnswerRequest): Promise<Answer> {
  const { sessions, caller, signal, longestWaitMs = Number.POSITIVE_INFINITY } = context;
  const { keys, maxTokens, startedMs, raw, fold, look, ...wait } = request;
  const wantedMs = wait.deadlineMs ?? Number.POSITIVE_INFINITY;
  const deadlineMs = Math.min(wantedMs, longestWaitMs);
  const { id, yielded } = await sessions.wait({
    ...wait,
    ...(Number.isFinite(deadlineMs) ? { deadlineMs } : {}),
    ...(signal ? { signal } : {}),
    ...(look ? { isLooking: true } : {}),
    keys,
    caller,
  });
  // The state comes first: of a program that has ended by then, all output is there to be read.
  const [state, around] = await Promise.all([stateAfter(sessions, id, yielded), lookAround(context, id)]);
  const about = describeAround(state, around);
  const options = { maxTokens, ...(raw === undefined ? {} : { raw }), ...(fold === undefined ? {} : { fold }) };
  const reading: Look = look ? await look(id) : await readUnread(context, id, options);
  const isCutShort = yielded.reason === "deadline" && longestWaitMs < wantedMs;
  return {
    result: {
      session_id: id,
      name: state.name,
      running: state.exit === null,
      exit_code: state.exit?.kind === "code" ? state.exit.code : null,
      signal: state.exit?.kind === "signal" ? state.exit.signal : null,
      output: reading.text,
      truncated: reading.cut !== null,
      original_token_count: reading.originalTokenCount,
      wall_time_seconds: (performance.now() - startedMs) / 1000,
      yielded: yielded.reason,
      waiting_for: state.waitingFor,
      cursor: reading.next,
      dropped_bytes: reading.droppedBytes,
      ...(yielded.reason === "finished" ? { command_exit_code: yielded.exitCode, cwd: yielded.cwd } : {}),
    },
    cutFrom: reading.cut?.from ?? null,
    hidden: reading.hiddenLines ? { lines: reading.hiddenLines, from: reading.from ?? 0 } : null,
    others: about.others,
    notes: [
      ...(yielded.reason === "finished"
        ? [`The shell's command finished with code ${yielded.exitCode ?? "unknown"} in ${yielded.cwd}`]
        : []),
      ...(yielded.reason === "listening" ? [`Listening on ${yielded.address} port ${yielded.port}`] : []),
      ...about.notes,
      ...(isCutShort ? ["Still waiting: this client allows no longer call; go on with wait_for"] : []),
      ...(reading.notes ?? []),
    ],
  };
}

/** A wait that ended with input has seen what the program waits for: no need to look again. */
async function stateAfter(sessions: SessionService, id: number, yielded: WaitResult): Promise<SessionState> {
  if (yielded.reason !== "input" && yielded.reason !== "finished") return await sessions.state(id);
  const identity = await sessions.identify(id);
  // A shell whose command has finished waits for the next one, and for no answer.
  return { ...identity, waitingFor: identity.exit || yielded.reason === "finished" ? null : yielded.waitingFor };
}
