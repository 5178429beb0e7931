/** Waits on several sessions at once: for the first of them, or for each of them. */
import type { Cursor } from "../../base/cursor.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { Session } from "../session.ts";
import { internalsOf } from "../session-internals.ts";
import type { WaitResult } from "./decide-wait.ts";
import type { WaitOptions } from "./wait-for.ts";
import { waitOn } from "./wait-on.ts";

/** Which session had something to tell, and what. */
export interface SessionWaitResult {
  readonly session: Session;
  readonly yielded: WaitResult;
}

/** Options hold for each session. */
export interface SeveralOptions extends Omit<WaitOptions, "from"> {
  /** Where `until` begins to search in each. Default: where the last wait on it ended. */
  readonly from?: (session: Session) => Cursor;
}

/** Resolves with the first that has something to tell; the others go on, and nothing of theirs is missed by the next wait. */
export async function waitForAny(
  sessions: readonly Session[],
  options: SeveralOptions = {},
): Promise<SessionWaitResult> {
  if (sessions.length === 0) throw new LimpetError("BAD_OPTION", "There is no session to wait for. Give at least one.");
  const others = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, others.signal]) : others.signal;
  const { from = (session: Session) => internalsOf(session).position.cursor } = options;
  const waits = sessions.map(async (session) => {
    const yielded = await waitOn(session, { ...options, from: from(session), signal });
    return { session, yielded };
  });
  try {
    const first = await Promise.race(waits);
    // Only its position moves: what the other waits saw is there for the next one.
    if (!options.from) internalsOf(first.session).position.advance(first.yielded.cursor);
    return first;
  } finally {
    others.abort();
    await Promise.allSettled(waits);
  }
}

/** Resolves when each has something to tell, in the order of `sessions`. */
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
