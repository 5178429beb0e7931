/**
 * Runs turns. A turn has two stages. First it acts: it starts a program, types, or gives a command to a shell. This
 * happens once. Then it answers: it waits and reads. This can happen again if the connection breaks.
 */
import { resolve } from "node:path";
import { onAbort } from "../../base/async/on-abort.ts";
import { untilAborted } from "../../base/async/until-aborted.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import { describeSandbox, type SandboxRequest } from "../../base/sandbox-request.ts";
import { workingDirectory } from "../../base/working-directory.ts";
import { isWithin } from "../../safety/sandbox/narrow-sandbox.ts";
import type { SessionRegistry } from "../../session/registry/session-registry.ts";
import type { Session } from "../../session/session.ts";
import { internalsOf } from "../../session/session-internals.ts";
import type { Approvals } from "../approvals/approvals.ts";
import type { DefinedNames } from "../approvals/defined-names.ts";
import { startText, typedText } from "../approvals/given-texts.ts";
import { textOfTurn } from "../approvals/text-of-turn.ts";
import { type AuditTrail, actorOf } from "../audit-trail.ts";
import type { EventReports } from "../events/reported-events.ts";
import type { InputGate } from "../input/input-gate.ts";
import type { Asker } from "../owners/asker.ts";
import type { SessionUsers } from "../owners/session-users.ts";
import type { Sandboxes } from "../sandbox/sandboxes.ts";
import type { PromptAnswers } from "../secrets/prompt-answers.ts";
import type { Shells } from "../shells/shells.ts";
import type { Starts } from "../starts.ts";
import { DETACHED } from "./detached.ts";
import type { ReadPositions } from "./read-positions.ts";
import type { Undelivered } from "./receipt.ts";
import { type Acted, RecentTurns, type RememberedTurn } from "./recent-turns.ts";
import type { RunRequest } from "./start-request.ts";
import type { TurnAnswer } from "./turn-answer.ts";
import type { TurnReader } from "./turn-reader.ts";
import type { TurnRequest } from "./turn-request.ts";
import type { Asked, TurnWaiter } from "./turn-waiter.ts";

interface RunnerParts {
  readonly registry: SessionRegistry;
  readonly positions: ReadPositions;
  readonly gate: InputGate;
  readonly prompts: PromptAnswers;
  readonly shells: Shells;
  readonly starts: Starts;
  readonly sandboxes: Sandboxes;
  readonly reader: TurnReader;
  readonly waiter: TurnWaiter;
  readonly reports: EventReports;
  readonly users: SessionUsers;
  readonly approvals: Approvals;
  readonly defined: DefinedNames;
  readonly trail: AuditTrail;
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
    const forget = onAbort(signal, () => {
      if (signal?.reason !== DETACHED || requestId === undefined) turn.abandon(signal?.reason);
    });
    const either = signal ? AbortSignal.any([signal, turn.abandoned]) : turn.abandoned;
    try {
      return await this.#run(turn, { request: { ...request, signal: either }, asker });
    } finally {
      forget();
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
    turn.requireKnown();
    if (turn.answered) return await this.#parts.reader.again(turn.answered.answer, request, asker);
    turn.acted ??= this.#act(turn, asked);
    const acted = await untilAborted(turn.acted, signal);
    if (request.isWatch) return await this.#answer(turn, acted, asked);
    const ids = acted.sessions.map(({ id }) => id);
    return await this.#parts.registry.use(ids, () => this.#answer(turn, acted, asked));
  }

  async #act(turn: RememberedTurn, { request, asker }: Asked): Promise<Acted> {
    const { on } = request;
    const { registry, positions, gate, starts, users, trail } = this.#parts;
    const actor = actorOf(asker, request);
    const isAct = on.kind === "start" || on.kind === "run" || request.input !== undefined;
    if (isAct) await trail.admit();
    if (on.kind === "run") return await this.#startCommand(turn, on.run, request, asker);
    if (on.kind === "start") this.#redeem(request, asker);
    const started = on.kind === "start" ? await starts.start(on.start, asker, request) : undefined;
    const sessions = started
      ? [registry.get(started.id)]
      : this.#targets(on as Exclude<typeof on, { kind: "start" }>, asker);
    const { caller, client } = asker;
    if (!request.isWatch) for (const session of sessions) users.note(session, caller);
    for (const session of request.skipUnread ? sessions : []) {
      const reader = positions.readerFor(session, asker);
      await reader.skip();
      const returns = positions.returnsOf(session, caller);
      if (client === undefined) positions.acknowledge(session, caller, { to: reader.cursor, returns });
    }
    const [session] = sessions;
    if (session && started && !started.isReused) {
      trail.started(session, actor);
      if (on.kind === "start") this.#parts.defined.note(session, { kind: "start", text: startText(on.start) });
      if (on.kind === "start") trail.usedSecrets(session, Object.values(on.start.secretEnv ?? {}), actor);
    }
    const { strokes, secret, by } = request.input ?? {};
    if (session && (strokes || started)) requireWithin(session, request.within);
    if (session && strokes) {
      if (!started) this.#redeem(request, asker);
      this.#parts.sandboxes.beforeAct(session);
      this.#parts.defined.note(session, typedText(session, request));
    }
    const typist = { caller, ...(by === undefined ? {} : { by }) };
    if (session && secret !== undefined) {
      await this.#parts.prompts.typeSecret(session, secret, typist);
      trail.usedSecrets(session, [secret], actor);
    }
    const typing = session && strokes && gate.queue(session, strokes, typist);
    if (typing && secret === undefined) trail.typed(session as Session, typing.bytes, actor);
    if (isAct) await this.#settle(started && !started.isReused ? session : undefined);
    // With a wait, only the wait decides how long the turn takes.
    if (typing && !request.wait) await typing.delivered;
    return { sessions, isReused: started?.isReused ?? true, typing, command: undefined };
  }

  /** Call this just before the turn acts, so that a turn that is refused earlier uses up no approval. */
  #redeem(request: TurnRequest, asker: Asker, directory?: string): void {
    const number = request.verdict?.approval ?? null;
    if (number !== null) this.#parts.approvals.redeem(number, asker, { text: textOfTurn(request), directory });
  }

  /** Ends a session whose start must be recorded and cannot be. */
  async #settle(started: Session | undefined): Promise<void> {
    const { trail, registry } = this.#parts;
    try {
      await trail.settled();
    } catch (error) {
      if (started) await registry.end(started.id, { force: true });
      throw error;
    }
  }

  #targets(on: Extract<TurnRequest["on"], { readonly kind: "session" | "several" }>, asker: Asker): readonly Session[] {
    const { registry, waiter } = this.#parts;
    if (on.kind === "session") return [registry.get(on.key, asker.scope)];
    return on.keys === "running" ? waiter.own(asker) : on.keys.map((key) => registry.get(key, asker.scope));
  }

  /** A broken connection does not end the wait for the command, only a cancelled request does. */
  async #startCommand(turn: RememberedTurn, run: RunRequest, request: TurnRequest, asker: Asker): Promise<Acted> {
    const { caller } = asker;
    const { within, limits } = request;
    const { trail } = this.#parts;
    const admit = (session: Session) => {
      requireWithin(session, within);
      const { directory = session.cwd } = internalsOf(session).finishes;
      this.#redeem(request, asker, run.cwd === undefined ? directory : resolve(workingDirectory(), run.cwd));
      this.#parts.defined.note(session, { kind: "command", text: run.command });
      this.#parts.gate.admit(session, Buffer.byteLength(run.command), { caller });
      trail.willRun(session, actorOf(asker, request));
    };
    const { found, outcome } = await this.#parts.shells.start(
      { ...run, within, limits, asker, signal: turn.abandoned },
      admit,
    );
    const { shell, isNew } = found;
    if (isNew) trail.usedSecrets(shell.session, Object.values(shell.session.secretEnv ?? {}), actorOf(asker, request));
    this.#parts.users.note(found.shell.session, caller);
    // Before the command can finish, so that a later turn reports its end if this one does not.
    this.#parts.reports.of(found.shell.session, asker);
    outcome.catch(() => undefined);
    return { sessions: [found.shell.session], isReused: !found.isNew, typing: undefined, command: outcome };
  }

  async #answer(turn: RememberedTurn, acted: Acted, asked: Asked): Promise<TurnAnswer> {
    const { request, asker } = asked;
    const { reader } = this.#parts;
    const waited = await this.#parts.waiter.wait(turn, acted, asked);
    return await turn.inOrder(async () => {
      if (turn.answered) return await reader.again(turn.answered.answer, request, asker);
      const answered = await reader.read(waited, request, asker);
      if (request.on.kind === "run") await this.#parts.trail.settled();
      if (turn.abandoned.aborted) {
        reader.takeBack(answered, asker);
        throw turn.abandoned.reason;
      }
      if (request.requestId !== undefined) this.#recent.noteAnswer(turn, answered);
      return answered.answer;
    });
  }
}

/** An agent in a sandbox must not act through a session that is outside of it. */
function requireWithin({ id, sandbox }: Session, within: SandboxRequest | undefined): void {
  if (isWithin(sandbox, within)) return;
  const [has, allowed] = [describeSandbox(sandbox), describeSandbox(within)];
  throw new LimpetError(
    "BAD_OPTION",
    `Session ${id} can do more than a person allows (${has} instead of ${allowed}). Start another session.`,
  );
}

function requireFit({ on, input, wait, caller, requestId }: TurnRequest): void {
  if (on.kind === "several" && input) {
    throw new LimpetError("BAD_OPTION", "input cannot go to several sessions. Type into one session at a time.");
  }
  if (on.kind === "several" && wait?.kind === "screen") {
    throw new LimpetError("BAD_OPTION", "A wait for the screen needs one session (got several). Pass one session.");
  }
  if (input?.secret !== undefined && (input.strokes.length > 0 || on.kind !== "session")) {
    throw new LimpetError("BAD_OPTION", "A secret is typed alone, into one session. Leave out other input.");
  }
  if (on.kind === "run" && (input || wait)) {
    throw new LimpetError("BAD_OPTION", "run takes no input and no wait. Pass timeoutMs, waitMs and stdin in run.");
  }
  if (typeof caller !== "string" || caller === "") {
    throw new LimpetError("BAD_OPTION", "caller is missing. Pass the name of the caller.");
  }
  if (requestId === "") throw new LimpetError("BAD_OPTION", "requestId is empty. Omit it, or pass a unique string.");
}
