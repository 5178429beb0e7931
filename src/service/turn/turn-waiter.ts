/** The wait of a turn: for a command, the screen, one session or the first of several. */

import { untilAborted } from "../../base/async/until-aborted.ts";
import { listSome } from "../../base/format/list-some.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import { requireInteger } from "../../base/require-integer.ts";
import { waitForReaction } from "../../screen/wait-for-reaction.ts";
import { waitForScreen } from "../../screen/wait-for-screen.ts";
import type { SessionRegistry } from "../../session/registry/session-registry.ts";
import type { Session } from "../../session/session.ts";
import { internalsOf } from "../../session/session-internals.ts";
import { type CallerWaitAnyOptions, waitOnAny } from "../../session/wait/wait-on.ts";
import { wordOrQuote } from "../../text/clean/quote-line.ts";
import { chooseTargets, type TargetFacts, type Targets } from "../events/choose-targets.ts";
import type { EventReports } from "../events/reported-events.ts";
import type { Typing } from "../input/input-gate.ts";
import type { Asker } from "../owners/asker.ts";
import type { SessionUsers } from "../owners/session-users.ts";
import type { ReadPositions } from "./read-positions.ts";
import type { Acted, RememberedTurn } from "./recent-turns.ts";
import type { SeenScreens } from "./seen-screens.ts";
import type { TurnRequest, TurnWait } from "./turn-request.ts";
import type { Waited } from "./waited.ts";

interface WaiterParts {
  readonly registry: SessionRegistry;
  readonly positions: ReadPositions;
  readonly seenScreens: SeenScreens;
  readonly users: SessionUsers;
  readonly reports: EventReports;
}

/** A request, and who makes it. */
export interface Asked {
  readonly request: TurnRequest;
  readonly asker: Asker;
}

/** An error names so many sessions, and counts the others. */
const MAX_NAMED = 20;

type OutputWait = Extract<TurnWait, { kind: "output" }>;

interface Target extends TargetFacts {
  readonly session: Session;
}

export class TurnWaiter {
  readonly #parts: WaiterParts;

  constructor(parts: WaiterParts) {
    this.#parts = parts;
  }

  /** The caller's own sessions in its project, except those that have ended and were reported. */
  own(asker: Asker): readonly Session[] {
    const { registry, users, reports } = this.#parts;
    const all = registry.list({ ended: true, scope: asker.scope });
    const isOpen = (session: Session) => session.exit === undefined || !reports.of(session, asker).hasEnded;
    const own = all.filter((session) => users.isOwn(session, asker) && isOpen(session));
    if (own.length === 0) throw nothingToWaitFor([]);
    return own;
  }

  async wait(turn: RememberedTurn, acted: Acted, asked: Asked): Promise<Waited> {
    const { typing } = acted;
    if (!typing || !asked.request.wait) return await this.#wait(turn, acted, asked);
    return await untilTyped(typing, asked.request.signal, (signal) =>
      this.#wait(turn, acted, { ...asked, request: { ...asked.request, signal } }),
    );
  }

  async #wait(turn: RememberedTurn, acted: Acted, asked: Asked): Promise<Waited> {
    const { request, asker } = asked;
    const { sessions, isReused, typing, command } = acted;
    const { wait, signal } = request;
    if (wait?.kind === "output") {
      const rest = { ...wait, ...restOf(wait, turn) };
      return await this.#waitForOutput(rest, acted, asked);
    }
    const [session] = sessions as readonly [Session, ...Session[]];
    const finishesKnown = this.#parts.reports.of(session, asker).finishes;
    const unreadFrom = this.#parts.positions.cursorOf(session, asker);
    const waited = { ...UNWAITED, session, isReused, unreadFrom, keyEffects: typing?.effects ?? [], finishesKnown };
    if (command) {
      const answer = await untilAborted(command, signal);
      const { count } = internalsOf(session).finishes;
      return { ...waited, command: answer, finishesKnown: answer.isRunning ? finishesKnown : count };
    }
    if (!wait) return waited;
    const { kind: _kind, ...options } = { ...wait, ...restOf(wait, turn), ...(signal ? { signal } : {}) };
    return { ...waited, screenReason: (await waitForScreen(session, options)).reason };
  }

  async #waitForOutput(wait: OutputWait, { sessions, isReused, typing }: Acted, asked: Asked): Promise<Waited> {
    const { request, asker } = asked;
    const { signal, read, isWatch = false, on } = request;
    const { caller } = asker;
    const { positions, seenScreens, reports } = this.#parts;
    const waited = { ...UNWAITED, isReused, keyEffects: typing?.effects ?? [] };
    const targets = on.kind === "several" ? this.#targets(sessions, wait, asked) : stateOf(sessions);
    if (on.kind === "several" && targets.kind === "state" && hasOnlyIdle(targets.sessions, wait)) {
      const [session] = targets.sessions;
      const finishesKnown = reports.of(session, asker).finishes;
      const unreadFrom = positions.cursorOf(session, asker);
      return { ...waited, session, unreadFrom, result: { reason: "idle", cursor: session.endCursor }, finishesKnown };
    }
    const { kind: _kind, from, ...options } = wait;
    const caution: CallerWaitAnyOptions = {
      ...options,
      ...(signal ? { signal } : {}),
      from: (each) => {
        if (from !== undefined) return from;
        const position = positions.cursorOf(each, asker);
        return read?.kind === "screen" ? Math.max(position, seenScreens.cursorOf(each, caller)) : position;
      },
      // A watch ignores finished commands, so that it neither ends early nor consumes the report of another caller.
      finishesKnown: (each) => (isWatch ? Number.POSITIVE_INFINITY : reports.of(each, asker).finishes),
    };
    const events = {
      knowsInput: (each: Session) => (verdict: Parameters<EventReports["knowsInput"]>[2]) =>
        reports.knowsInput(each, asker, verdict),
      knownPorts: (each: Session) => reports.of(each, asker).ports,
    };
    const once = targets.kind === "events" ? { ...caution, ...events } : caution;
    // Before the wait: another call of the same caller may read meanwhile.
    const unreadFrom = new Map(targets.sessions.map((each) => [each, positions.cursorOf(each, asker)]));
    const ends = new Map(targets.sessions.map((each) => [each, each.endCursor]));
    const startedMs = performance.now();
    const first = await waitOnAny(targets.sessions, once);
    if (typing && read?.kind === "screen" && first.result.reason === "input") {
      const { deadlineMs = Number.POSITIVE_INFINITY } = wait;
      const mostMs = Math.max(0, deadlineMs - (performance.now() - startedMs));
      await waitForReaction(first.session, { from: ends.get(first.session) ?? 0, mostMs, signal });
    }
    return { ...waited, ...first, unreadFrom: unreadFrom.get(first.session) ?? 0 };
  }

  #targets(sessions: readonly Session[], wait: OutputWait, { request, asker }: Asked): Chosen {
    const { on, isWatch = false } = request;
    if (isWatch) return stateOf(sessions);
    const areNamed = on.kind === "several" && on.keys !== "running" && !on.isPart;
    const { until, port, quietMs, onInput = true } = wait;
    const hasOtherEnds = until !== undefined || port !== undefined || quietMs !== undefined;
    const facts = sessions.map((session) => this.#factsOf(session, onInput, asker));
    const targets: Targets<Target> = chooseTargets(facts, { areNamed, hasOtherEnds });
    if (targets.kind === "nothing") throw nothingToWaitFor(facts);
    const [first, ...others] = targets.sessions;
    return { kind: targets.kind, sessions: [first.session, ...others.map(({ session }) => session)] };
  }

  #factsOf(session: Session, onInput: boolean, asker: Asker): Target {
    const { reports } = this.#parts;
    const internals = internalsOf(session);
    const reported = reports.of(session, asker);
    const hasEnded = session.exit !== undefined;
    const hasFinish = internals.finishes.since(reported.finishes) !== undefined;
    const mayBeParked = onInput && !hasEnded && reported.prompt !== null;
    return {
      session,
      hasEnded,
      hasNews: hasEnded ? !reported.hasEnded : hasFinish,
      isIdle: internals.isIdle,
      isParked: mayBeParked && reports.knowsInput(session, asker, internals.observeInput()),
    };
  }
}

interface Chosen {
  readonly kind: "events" | "state";
  readonly sessions: readonly [Session, ...Session[]];
}

const UNWAITED = { result: null, screenReason: null, command: null } as const;

function stateOf(sessions: readonly Session[]): Chosen {
  return { kind: "state", sessions: sessions as readonly [Session, ...Session[]] };
}

/** A shell that runs no command cannot end such a wait. */
function hasOnlyIdle(sessions: readonly Session[], { until, port, quietMs, onInput = true }: OutputWait): boolean {
  const hasOtherEnds = until !== undefined || port !== undefined || quietMs !== undefined || !onInput;
  return !hasOtherEnds && sessions.every((session) => internalsOf(session).isIdle);
}

function nothingToWaitFor(facts: readonly Target[]): LimpetError {
  const parked = facts.filter(({ isParked }) => isParked);
  const idle = facts.filter(({ isIdle }) => isIdle);
  const states = [
    ...(parked.length > 0 ? [`waiting for input, as reported before: ${namesOf(parked)}`] : []),
    ...(idle.length > 0 ? [`idle: ${namesOf(idle)}`] : []),
  ];
  const next = parked.length > 0 ? "Answer one of them with write_stdin" : "Start a program with exec_command or run";
  const what =
    states.length === 0 ? "none of your sessions is running" : `none of your sessions is busy (${states.join("; ")})`;
  return new LimpetError("NOTHING_TO_WAIT_FOR", `There is nothing to wait for: ${what}. ${next}.`);
}

function namesOf(targets: readonly Target[]): string {
  const names = targets.map(({ session: { id, name } }) =>
    name === undefined ? `${id}` : `${id} (${wordOrQuote(name)})`,
  );
  return listSome(names, MAX_NAMED);
}

/**
 * Waits, unless the input cannot be delivered: then rejects with the reason. Input that a later interrupt key discards
 * is an outcome and not a failure. What was not delivered when the wait ends stays queued, unless the program has
 * ended.
 */
async function untilTyped(
  { delivered }: Typing,
  signal: AbortSignal | undefined,
  wait: (signal: AbortSignal) => Promise<Waited>,
): Promise<Waited> {
  const failing = new AbortController();
  const failed = delivered.catch((error: unknown) => {
    if (error instanceof LimpetError && error.code === "INPUT_DISCARDED") return;
    failing.abort(error);
  });
  const waited = await wait(signal ? AbortSignal.any([signal, failing.signal]) : failing.signal);
  if (waited.session.exit) await failed;
  failing.signal.throwIfAborted();
  return waited;
}

/** A repeated request has only the rest of its time. */
function restOf({ deadlineMs }: TurnWait, { startedMs }: RememberedTurn): { readonly deadlineMs?: number } {
  if (deadlineMs === undefined) return {};
  requireInteger("deadlineMs", deadlineMs, { min: 0, max: Number.MAX_SAFE_INTEGER });
  return { deadlineMs: Math.max(0, Math.round(deadlineMs - (performance.now() - startedMs))) };
}
