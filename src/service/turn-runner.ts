/**
 * Runs turns. A turn has two stages. First it acts: it starts a program, types, or gives a command to a shell. This
 * happens once. Then it answers: it waits and reads. This can happen again if the connection breaks.
 */

import { LimpetError } from "../base/limpet-error.ts";
import { requireInteger } from "../base/require-integer.ts";
import { untilAborted } from "../base/until-aborted.ts";
import { waitForScreen } from "../screen/wait-for-screen.ts";
import type { Session } from "../session/session.ts";
import { internalsOf } from "../session/session-internals.ts";
import type { SessionRegistry } from "../session/session-registry.ts";
import { waitOnAny } from "../session/wait/wait-on.ts";
import type { InputGate, Typing } from "./input-gate.ts";
import type { Asker } from "./owners/asker.ts";
import type { ReadPositions } from "./read-positions.ts";
import { type Acted, RecentTurns, type RememberedTurn } from "./recent-turns.ts";
import type { SeenScreens } from "./seen-screens.ts";
import type { Undelivered } from "./session-service.ts";
import type { Shells } from "./shells/shells.ts";
import type { Starts } from "./starts.ts";
import { DETACHED, type RunRequest, type TurnAnswer, type TurnRequest } from "./turn.ts";
import type { TurnReader, Waited } from "./turn-reader.ts";

interface RunnerParts {
  readonly registry: SessionRegistry;
  readonly positions: ReadPositions;
  readonly seenScreens: SeenScreens;
  readonly gate: InputGate;
  readonly shells: Shells;
  readonly starts: Starts;
  readonly reader: TurnReader;
}

export class TurnRunner {
  readonly #parts: RunnerParts;
  readonly #recent = new RecentTurns();

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  async run(request: TurnRequest, asker: Asker): Promise<TurnAnswer> {
    requireFit(request);
    const { requestId, signal } = request;
    const { client, caller } = asker;
    signal?.throwIfAborted();
    const turn = this.#recent.turnOf(client ?? caller, requestId);
    const onAbort = () => {
      if (signal?.reason !== DETACHED || requestId === undefined) turn.abandon(signal?.reason);
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    const either = signal ? AbortSignal.any([signal, turn.abandoned]) : turn.abandoned;
    try {
      return await this.#run(turn, { request: { ...request, signal: either }, asker });
    } finally {
      signal?.removeEventListener("abort", onAbort);
      this.#recent.keep(client ?? caller, requestId, turn);
    }
  }

  giveBack(undelivered: Undelivered, { caller, client }: Asker): void {
    const { reader } = this.#parts;
    const requestId = "receipt" in undelivered ? undelivered.receipt.requestId : undelivered.requestId;
    if (requestId === null) {
      if ("receipt" in undelivered) reader.giveBack(undelivered.receipt, { caller, client });
      return;
    }
    const turn = this.#recent.find(client ?? caller, requestId);
    turn?.abandon();
    const answered = turn?.takeAnswer();
    if (answered) reader.takeBack(answered, { caller, client });
  }

  async #run(turn: RememberedTurn, asked: Asked): Promise<TurnAnswer> {
    const { request, asker } = asked;
    const { signal } = request;
    signal?.throwIfAborted();
    if (turn.answered) return await this.#parts.reader.again(turn.answered.answer, request, asker);
    turn.acted ??= this.#act(turn, asked);
    const acted = await untilAborted(turn.acted, signal);
    if (request.isWatch) return await this.#answer(turn, acted, asked);
    const ids = acted.sessions.map(({ id }) => id);
    return await this.#parts.registry.use(ids, () => this.#answer(turn, acted, asked));
  }

  async #act(turn: RememberedTurn, { request, asker }: Asked): Promise<Acted> {
    const { on } = request;
    const { registry, positions, gate, starts } = this.#parts;
    if (on.kind === "run") return await this.#beginCommand(turn, on.run, asker);
    const started = on.kind === "start" ? await starts.start(on.start, asker) : undefined;
    const sessions = started
      ? [registry.get(started.id)]
      : this.#targets(on as Exclude<typeof on, { kind: "start" }>, asker);
    const { caller, client } = asker;
    for (const session of request.skipUnread ? sessions : []) {
      const reader = positions.readerFor(session, asker);
      await reader.skip();
      const returns = positions.returnsOf(session, caller);
      if (client === undefined) positions.acknowledge(session, caller, { to: reader.cursor, returns });
    }
    const [session] = sessions;
    const { strokes, by } = request.input ?? {};
    const typing = session && strokes && gate.begin(session, strokes, { caller, ...(by === undefined ? {} : { by }) });
    // With a wait, only the wait decides how long the turn takes.
    if (typing && !request.wait) await typing.delivered;
    return { sessions, isReused: started?.isReused ?? true, typing, command: undefined };
  }

  #targets(
    on: Extract<TurnRequest["on"], { readonly kind: "session" | "several" }>,
    { scope }: Asker,
  ): readonly Session[] {
    const { registry } = this.#parts;
    if (on.kind === "session") return [registry.get(on.key, scope)];
    const sessions = on.keys === "running" ? registry.list({ scope }) : on.keys.map((key) => registry.get(key, scope));
    if (sessions.length > 0) return sessions;
    throw new LimpetError("SESSION_NOT_FOUND", "No session is running. Start one with exec_command.");
  }

  /** A broken connection does not end the wait for the command, only a cancelled request does. */
  async #beginCommand(turn: RememberedTurn, run: RunRequest, asker: Asker): Promise<Acted> {
    const { caller } = asker;
    const { found, outcome } = await this.#parts.shells.begin({ ...run, asker, signal: turn.abandoned }, (session) =>
      this.#parts.gate.admit(session, Buffer.byteLength(run.command), { caller }),
    );
    // Before the command can finish, so that a later turn reports its end if this one does not.
    this.#parts.positions.finishesKnownBy(found.shell.session, caller);
    outcome.catch(() => undefined);
    return { sessions: [found.shell.session], isReused: !found.isNew, typing: undefined, command: outcome };
  }

  async #answer(turn: RememberedTurn, acted: Acted, asked: Asked): Promise<TurnAnswer> {
    const { request, asker } = asked;
    const { reader } = this.#parts;
    const waited = await this.#wait(turn, acted, asked);
    return await turn.inOrder(async () => {
      if (turn.answered) return await reader.again(turn.answered.answer, request, asker);
      const answered = await reader.read(waited, request, asker);
      if (turn.abandoned.aborted) {
        reader.takeBack(answered, asker);
        throw turn.abandoned.reason;
      }
      if (request.requestId !== undefined) this.#recent.noteAnswer(turn, answered);
      return answered.answer;
    });
  }

  async #wait(turn: RememberedTurn, acted: Acted, asked: Asked): Promise<Waited> {
    const { typing } = acted;
    if (!typing || !asked.request.wait) return await this.#waitFor(turn, acted, asked);
    return await untilTyped(typing, asked.request.signal, (signal) =>
      this.#waitFor(turn, acted, { ...asked, request: { ...asked.request, signal } }),
    );
  }

  async #waitFor(turn: RememberedTurn, acted: Acted, asked: Asked): Promise<Waited> {
    const { request, asker } = asked;
    const { caller } = asker;
    const { sessions, isReused, typing, command } = acted;
    const { wait, signal, read } = request;
    const [session] = sessions as readonly [Session, ...Session[]];
    const { positions, seenScreens } = this.#parts;
    const finishesKnown = positions.finishesKnownBy(session, caller);
    const keyEffects = typing?.effects ?? [];
    const waited = {
      session,
      isReused,
      result: null,
      screenReason: null,
      command: null,
      unreadFrom: positions.cursorOf(session, asker),
      keyEffects,
      finishesKnown,
    };
    if (command) {
      const answer = await untilAborted(command, signal);
      const count = internalsOf(session).finishes.count;
      return { ...waited, command: answer, finishesKnown: answer.isRunning ? finishesKnown : count };
    }
    if (!wait) return waited;
    const rest = {
      ...(wait.deadlineMs === undefined ? {} : { deadlineMs: restOf(wait.deadlineMs, turn) }),
      ...(signal ? { signal } : {}),
    };
    if (wait.kind === "screen") {
      const { kind: _kind, ...options } = wait;
      return { ...waited, screenReason: (await waitForScreen(session, { ...options, ...rest })).reason };
    }
    const { kind: _kind, from, ...options } = wait;
    const positionOf = (each: Session) => {
      if (from !== undefined) return from;
      const position = positions.cursorOf(each, asker);
      return read?.kind === "screen" ? Math.max(position, seenScreens.cursorOf(each, caller)) : position;
    };
    // A watch ignores finished commands, so that it neither ends early nor consumes the report of another caller.
    const knownBy = (each: Session) =>
      request.isWatch ? Number.POSITIVE_INFINITY : positions.finishesKnownBy(each, caller);
    const first = await waitOnAny(sessions, { ...options, ...rest, from: positionOf, finishesKnown: knownBy });
    return { ...waited, ...first };
  }
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
function restOf(deadlineMs: number, { startedMs }: RememberedTurn): number {
  requireInteger("deadlineMs", deadlineMs, { min: 0, max: Number.MAX_SAFE_INTEGER });
  return Math.max(0, Math.round(deadlineMs - (performance.now() - startedMs)));
}

interface Asked {
  readonly request: TurnRequest;
  readonly asker: Asker;
}

function requireFit({ on, input, wait, caller, requestId }: TurnRequest): void {
  if (on.kind === "several" && input) {
    throw new LimpetError("BAD_OPTION", "input cannot go to several sessions. Type into one session at a time.");
  }
  if (on.kind === "several" && wait?.kind === "screen") {
    throw new LimpetError("BAD_OPTION", "A wait for the screen needs one session (got several). Pass one session.");
  }
  if (on.kind === "run" && (input || wait)) {
    throw new LimpetError("BAD_OPTION", "run takes no input and no wait. Pass timeoutMs, waitMs and stdin in run.");
  }
  if (typeof caller !== "string" || caller === "") {
    throw new LimpetError("BAD_OPTION", "caller is missing. Pass the name of the caller.");
  }
  if (requestId === "") throw new LimpetError("BAD_OPTION", "requestId is empty. Omit it, or pass a unique string.");
}
