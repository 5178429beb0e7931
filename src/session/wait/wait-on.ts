/**
 * Waits on sessions for one of several callers. The caller passes where its wait starts and what it knows, and receives
 * what it knows afterwards. Callers do not affect each other: only `waitFromPosition` uses the position of the session
 * object.
 */
import { setMaxListeners } from "node:events";
import type { Cursor } from "../../base/cursor.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { Session } from "../session.ts";
import { internalsOf } from "../session-internals.ts";
import type { WaitResult } from "./decide-wait.ts";
import { type CallerWaitOptions, type WaitOptions, waitFor } from "./wait-for.ts";

export interface CallerWaitResult {
  readonly session: Session;
  readonly result: WaitResult;
  /** How many finished commands the caller knows of after this wait. */
  readonly finishesKnown: number;
}

export async function waitOn(session: Session, options: CallerWaitOptions): Promise<CallerWaitResult> {
  const internals = internalsOf(session);
  const recallFrom = internals.searched.startOf(options.from);
  const result = await waitFor(internals, { ...options, recallFrom });
  const isUnmatched = options.until !== undefined && result.reason !== "matched";
  if (isUnmatched) internals.searched.note(recallFrom, result.cursor);
  const finishesKnown = result.reason === "finished" ? internals.finishes.count : options.finishesKnown;
  return { session, result, finishesKnown };
}

/** Options that apply to each session. */
export interface CallerWaitAnyOptions extends Omit<WaitOptions, "from"> {
  readonly from: (session: Session) => Cursor;
  readonly finishesKnown: (session: Session) => number;
  /** Default: every wait for input ends the wait. */
  readonly knowsInput?: (session: Session) => NonNullable<CallerWaitOptions["knowsInput"]>;
  /** Default: none. */
  readonly knownPorts?: (session: Session) => readonly number[];
}

/** Resolves with the first wait that ends. The other waits are aborted, and later waits miss nothing. */
export async function waitOnAny(
  sessions: readonly Session[],
  { from, finishesKnown, knowsInput, knownPorts, ...options }: CallerWaitAnyOptions,
): Promise<CallerWaitResult> {
  const optionsFor = (session: Session) => ({
    ...options,
    from: from(session),
    finishesKnown: finishesKnown(session),
    ...(knowsInput ? { knowsInput: knowsInput(session) } : {}),
    ...(knownPorts ? { knownPorts: knownPorts(session) } : {}),
  });
  const [only] = sessions;
  if (!only) throw new LimpetError("BAD_OPTION", "sessions must not be empty. Pass at least one session.");
  if (sessions.length === 1) return await waitOn(only, optionsFor(only));
  const others = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, others.signal]) : others.signal;
  // Each session adds some listeners.
  setMaxListeners(0, signal);
  const waits = sessions.map((session) => waitOn(session, { ...optionsFor(session), signal }));
  try {
    return await Promise.race(waits);
  } finally {
    others.abort();
    await Promise.allSettled(waits);
  }
}

/** For the owner of the session object: without `from`, the wait starts where the last such wait ended. */
export async function waitFromPosition(session: Session, options: WaitOptions): Promise<WaitResult> {
  const { position } = internalsOf(session);
  const { cursor, finishesKnown } = position;
  const waited = await waitOn(session, { ...options, from: options.from ?? cursor, finishesKnown });
  if (options.from === undefined) position.advance(waited.result.cursor);
  position.learnFinishes(waited.finishesKnown);
  return waited.result;
}
