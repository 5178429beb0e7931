/** A session after the wait of a turn, and what that says about its program. */
import type { Cursor } from "../../base/cursor.ts";
import type { Session } from "../../session/session.ts";
import { internalsOf } from "../../session/session-internals.ts";
import type { WaitResult } from "../../session/wait/decide-wait.ts";
import type { SessionState } from "../listing/session-state.ts";
import type { Outcome } from "../sandbox/sandboxes.ts";
import type { CommandAnswer, ScreenView, TurnAnswer } from "./turn-answer.ts";

/** The result of a turn's wait. */
export interface Waited {
  readonly session: Session;
  readonly isReused: boolean;
  readonly result: WaitResult | null;
  readonly screenReason: ScreenView["reason"];
  readonly command: CommandAnswer | null;
  /** Where the caller's unread output began when the turn started. */
  readonly unreadFrom: Cursor;
  readonly keyEffects: TurnAnswer["keyEffects"];
  /** How many finished commands are reported to the caller, including this answer. */
  readonly finishesKnown: number;
}

/** What the answer shows of how a command, or the program itself, has ended. */
export function outcomeOf({ session, result, command }: Waited, { output }: Pick<TurnAnswer, "output">): Outcome {
  const cwd = command?.cwd ?? internalsOf(session).finishes.directory ?? session.cwd;
  if (command) return { hasFailed: isFailure(command.exitCode), text: command.output, cwd };
  const { exit } = session;
  const code = exit?.kind === "code" ? exit.code : result?.reason === "finished" ? result.exitCode : null;
  return { hasFailed: isFailure(code), text: output?.text ?? "", cwd };
}

function isFailure(code: number | null): boolean {
  return code !== null && code !== 0;
}

/** Uses the observation of the wait, if the wait ended with one. */
export async function observedAfter({ session, result, command }: Waited): Promise<SessionState["waitingFor"]> {
  if (command) return command.waitingFor;
  if (result?.reason === "input") return result.waitingFor;
  // A shell whose command has finished waits for the next command, not for an answer.
  if (result?.reason === "finished") return null;
  return await session.waitingFor();
}
