/** Waits on several sessions at once: for the first of them, or for each of them. */
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

/** Options hold for each session. */
export interface SeveralOptions extends Omit<WaitOptions, "from"> {
  /** Where `until` begins to search in each. Default: where the last wait on that session object ended. */
  readonly from?: (session: Session) => Cursor;
}

/** Resolves with the first whose wait ends; the next wait on the others misses nothing. */
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
  // Only its position moves: what the other waits saw is there for the next one.
  if (!options.from) positionOf(session).advance(result.cursor);
  positionOf(session).learnFinishes(finishesKnown);
  return { session, yielded: result };
}

/** Resolves when the wait on each has ended, in the order of `sessions`. */
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
