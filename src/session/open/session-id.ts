/** The ids of sessions: positive integers, never used twice in one process. */
import { LimpetError } from "../../base/limpet-error.ts";
import type { SessionKeeper } from "./session-keeper.ts";

/** The last id that was assigned. */
let lastId = 0;

/** A new id. Ids are never used twice, also not those of sessions that could not be started. */
export function takeSessionId(keeper: SessionKeeper | undefined): number {
  return keeper?.takeId?.() ?? nextId();
}

/** The same error, with the id that the session would have got. */
export function withSessionId(error: unknown, sessionId: number): unknown {
  if (!(error instanceof LimpetError)) return error;
  return new LimpetError(error.code, error.message, { cause: error.cause ?? error, sessionId });
}

function nextId(): number {
  lastId += 1;
  return lastId;
}
