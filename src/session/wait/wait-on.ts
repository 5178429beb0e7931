/**
 * Waits on a session for one caller among several. A caller says where its own wait begins, and nobody else's wait is moved by
 * it: only `waitFromPosition` uses the position of the session object.
 */
import type { Cursor } from "../../base/cursor.ts";
import type { Session } from "../session.ts";
import { internalsOf } from "../session-internals.ts";
import type { WaitResult } from "./decide-wait.ts";
import { type WaitOptions, waitFor } from "./wait-for.ts";

/** What a caller knows when its wait begins. */
export interface CallerWaitOptions extends WaitOptions {
  readonly from: Cursor;
}

export async function waitOn(session: Session, options: CallerWaitOptions): Promise<WaitResult> {
  const internals = internalsOf(session);
  const recallFrom = internals.searched.startOf(options.from);
  const result = await waitFor(internals, { ...options, recallFrom });
  const isInVain = options.until !== undefined && result.reason !== "matched";
  if (isInVain) internals.searched.note(recallFrom, result.cursor);
  return result;
}

/** For the holder of the session object: without `from`, the wait begins where the last such wait ended. */
export async function waitFromPosition(session: Session, options: WaitOptions): Promise<WaitResult> {
  const { position } = internalsOf(session);
  const result = await waitOn(session, { ...options, from: options.from ?? position.cursor });
  if (options.from === undefined) position.advance(result.cursor);
  return result;
}
