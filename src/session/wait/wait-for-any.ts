/** Waits on several sessions at once: for the first one, or for all of them. */
import type { Cursor } from "../../base/cursor.ts";
import type { Session } from "../session.ts";
import { internalsOf } from "../session-internals.ts";
import type { WaitResult } from "./decide-wait.ts";
import type { WaitOptions } from "./wait-for.ts";
import { waitOnAny } from "./wait-on.ts";

/** The session whose wait ended, and why it ended. */
export interface SessionWaitResult {
  readonly session: Session;
  readonly yielded: WaitResult;
}

/** Options that apply to each session. */
export interface SeveralOptions extends Omit<WaitOptions, "from"> {
  /** Where `until` starts to search in each session. Default: where the last wait on that session object ended. */
  readonly from?: (session: Session) => Cursor;
}

/** Resolves with the first wait that ends; later waits on the other sessions miss nothing. */
export async function waitForAny(
  sessions: readonly Session[],
  options: SeveralOptions = {},
): Promise<SessionWaitResult> {
  const positionOf = (session: Session) => internalsOf(session).position;
  const { session, result, finishesKnown } = await waitOnAny(sessions, {
    ...options,
    from: options.from ?? ((each) => positionOf(each).cursor),
    finishesKnown: (each) => positionOf(each).finishesKnown,
  });
  // Only this session's position moves, so later waits on the others still see what these waits saw.
  if (!options.from) positionOf(session).advance(result.cursor);
  positionOf(session).learnFinishes(finishesKnown);
  return { session, yielded: result };
}

/** Resolves when the waits on all sessions have ended, in the order of `sessions`. */
export async function waitForAll(
  sessions: readonly Session[],
  options: SeveralOptions = {},
): Promise<SessionWaitResult[]> {
  const { from, ...shared } = options;
  return await Promise.all(
    sessions.map(async (session) => {
      const yielded = await session.wait(from ? { ...shared, from: from(session) } : shared);
      return { session, yielded };
    }),
  );
}
