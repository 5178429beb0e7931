/**
 * A service over the sessions of a registry in this process. Each caller has its own position in each session. Names
 * and lists are those of the scope.
 */
import type { Page } from "../base/cursor.ts";
import type { TerminalSize } from "../base/terminal-size.ts";
import type { OutputOptions } from "../journal/follow-output.ts";
import type { RecordingState } from "../record/record-session.ts";
import type { RecordOptions } from "../record/record-source.ts";
import type { Audit, AuditActor } from "../safety/audit/audit.ts";
import { commandLogOf, type LoggedCommand } from "../session/command-log.ts";
import { EVERYWHERE, type Scope } from "../session/resolve-session.ts";
import type { Session } from "../session/session.ts";
import { internalsOf } from "../session/session-internals.ts";
import type { SessionRegistry } from "../session/session-registry.ts";
import { type TranscriptOptions, type TranscriptPart, transcript } from "../session/transcript.ts";
import type { FrozenBy } from "../transport/transport.ts";
import type { ApprovalService } from "./approvals/approval.ts";
import { localApprovals } from "./approvals/local-approvals.ts";
import { Controls } from "./controls.ts";
import type { EventPage } from "./events/session-event.ts";
import { noteFarAct, notHere } from "./far-acts.ts";
import { nameOf } from "./listing.ts";
import { type Asker, askerOf } from "./owners/asker.ts";
import { passwordPrompt } from "./secrets/password-prompt.ts";
import type { Secrets } from "./secrets/secrets.ts";
import type {
  ClosedSession,
  CloseRequest,
  FarAct,
  Hold,
  ListOptions,
  PasswordPrompt,
  PromptAnswer,
  ReceiptOf,
  ResizedSession,
  RestartedSession,
  RestartOptions,
  RunningSession,
  SessionIdentity,
  SessionInput,
  SessionKey,
  SessionName,
  SessionService,
  SessionSummary,
  SignalRequest,
  SizeLoan,
  Undelivered,
  WriteOptions,
} from "./session-service.ts";
import { type SharedParts, shareParts } from "./shared-parts.ts";
import type { TurnAnswer, TurnRequest } from "./turn/turn.ts";

/** Through which client a service is used, and from which project. */
interface View {
  readonly shared?: SharedParts;
  readonly client?: string;
  /** Default: all sessions of the registry, and no project. */
  readonly scope?: Scope;
  /** Where acts are written down. Default: nowhere. Ignored with `shared`. */
  readonly audit?: Audit;
  /** Default: there are none. */
  readonly secrets?: Secrets | undefined;
}

/** A service over the sessions of a registry in this process. */
export class LocalService implements SessionService {
  readonly #shared: SharedParts;
  readonly #registry: SessionRegistry;
  readonly #client: string | undefined;
  readonly #scope: Scope;
  readonly approvals: ApprovalService;
  /** For acts that name no caller. */
  readonly #actor: AuditActor;
  readonly #controls: Controls;

  constructor(registry: SessionRegistry, { shared, client, scope = EVERYWHERE, secrets, audit }: View = {}) {
    this.#registry = registry;
    this.#shared = shared ?? shareParts(registry, { secrets, audit });
    this.#client = client;
    this.#scope = scope;
    this.approvals = localApprovals({
      shared: this.#shared,
      scope,
      askerOf: (caller) => this.#asker(caller),
      find: (key) => this.#get(key),
    });
    this.#actor = { client, project: scope.project };
    this.#controls = new Controls({ registry, shared: this.#shared, actor: this.#actor });
  }

  /** The same sessions for the callers of one client. The client must acknowledge what it receives. */
  forClient(client: string, scope: Scope = EVERYWHERE): SessionService {
    this.#shared.idleShells.clientCame(client);
    return new LocalService(this.#registry, { shared: this.#shared, client, scope });
  }

  /** The client has disconnected. */
  clientGone(client: string): void {
    this.#shared.idleShells.clientGone(client);
    this.#shared.loans.clientGone(client);
  }

  /** Ends shells that have been idle without their client for this long. Returns whether others are left. */
  async endLeftShells(afterMs: number): Promise<boolean> {
    return await this.#shared.idleShells.endLeft(afterMs);
  }

  async turn(request: TurnRequest): Promise<TurnAnswer> {
    if (request.place !== undefined) throw notHere(request.place);
    return await this.#shared.turns.run(request, this.#asker(request.caller));
  }

  async noteFarAct(act: FarAct): Promise<void> {
    await noteFarAct(act, this.#asker(act.caller), this.#shared);
  }

  acknowledge({ caller, receipt }: ReceiptOf): void {
    const session = this.#known(receipt.session);
    if (!session) return;
    const { positions, reports } = this.#shared;
    const { caller: reader } = this.#asker(caller);
    positions.acknowledge(session, reader, receipt);
    reports.acknowledge(session, reader, receipt.events);
  }

  giveBack(undelivered: Undelivered): void {
    this.#shared.turns.giveBack(undelivered, this.#asker(undelivered.caller));
  }

  async write(key: SessionKey, input: SessionInput, options: WriteOptions = {}): Promise<void> {
    const { caller, ...rest } = options;
    const typist = caller === undefined ? rest : { ...rest, caller: this.#asker(caller).caller };
    await this.#shared.trail.act(async () => {
      const session = this.#get(key);
      const bytes = await this.#use(key, () => this.#shared.gate.write(session, input, typist));
      this.#shared.trail.typedPart(session, bytes, { ...this.#actor, caller });
    });
  }

  async passwordPrompt(key: SessionKey): Promise<PasswordPrompt | null> {
    return await this.#use(key, async (session) => {
      // An uncertain observation is repeated first.
      if ((await session.waitingFor()) !== "password") return null;
      const token = passwordPrompt(session);
      return token === undefined ? null : { ...nameOf(session), token, program: internalsOf(session).foreground };
    });
  }

  async answerPrompt(key: SessionKey, answer: PromptAnswer): Promise<void> {
    await this.#shared.trail.act(async () => {
      const session = this.#get(key);
      const bytes = await this.#use(key, () => this.#shared.prompts.type(session, answer, { by: "person" }));
      this.#shared.trail.typedPart(session, bytes, { ...this.#actor, caller: undefined });
    });
  }

  async *output(key: SessionKey, options: OutputOptions): AsyncGenerator<Page, void, undefined> {
    yield* this.#watched(this.#get(key), (session) => session.output(options));
  }

  async *transcript(key: SessionKey, options: TranscriptOptions): AsyncGenerator<TranscriptPart, void, undefined> {
    yield* this.#watched(this.#get(key), (session) => transcript(session, options));
  }

  async find(key: SessionKey): Promise<SessionIdentity> {
    return this.#shared.listing.identityOf(this.#get(key));
  }

  async running(): Promise<readonly RunningSession[]> {
    const alive = this.#registry.list({ scope: this.#scope });
    return alive.map((session) => ({ ...nameOf(session), isIdle: internalsOf(session).isIdle }));
  }

  list(options: ListOptions): Promise<readonly SessionSummary[]> {
    return this.#shared.listing.list(options, this.#scope);
  }

  async history(key: SessionKey): Promise<readonly LoggedCommand[]> {
    return commandLogOf(this.#get(key)).entries;
  }

  events({ signal }: { readonly signal?: AbortSignal }): AsyncIterable<EventPage> {
    return this.#shared.events.events(this.#scope, signal);
  }

  async hold(key: SessionKey, hold: Hold): Promise<void> {
    await this.#controls.hold(this.#get(key), hold);
  }

  async release(key: SessionKey): Promise<boolean> {
    return await this.#controls.release(this.#get(key));
  }

  async freeze(key: SessionKey): Promise<FrozenBy> {
    return await this.#controls.freeze(this.#get(key));
  }

  async thaw(key: SessionKey): Promise<boolean> {
    return await this.#controls.thaw(this.#get(key));
  }

  async rename(key: SessionKey, name: string): Promise<SessionName> {
    return nameOf(this.#registry.rename(key, name, this.#scope));
  }

  async signal(key: SessionKey, request: SignalRequest): Promise<SessionName> {
    return await this.#controls.signal(this.#get(key), request);
  }

  async restart(key: SessionKey, options: RestartOptions = {}): Promise<RestartedSession> {
    return await this.#use(key, (session) => this.#controls.restart(session, options));
  }

  async resize(key: SessionKey, size: TerminalSize, { caller }: { caller?: string } = {}): Promise<ResizedSession> {
    const session = this.#get(key);
    session.resize(size);
    if (caller !== undefined) this.#shared.sizes.note(session, this.#asker(caller).caller);
    return { ...nameOf(session), running: this.#working() };
  }

  async lendSize(key: SessionKey, { viewer, size }: SizeLoan): Promise<void> {
    const lender = { viewer, client: this.#client };
    if (size === null) this.#shared.loans.takeBack(this.#get(key), lender);
    else this.#shared.loans.lend(this.#get(key), lender, size);
  }

  record(key: SessionKey, options: RecordOptions): Promise<RecordingState> {
    return this.#use(key, (session) => this.#shared.recordings.start(session, options));
  }

  stopRecording(key: SessionKey, { file }: { readonly file?: string }): Promise<readonly RecordingState[]> {
    return this.#use(key, (session) => this.#shared.recordings.stop(session, file));
  }

  async close(key: SessionKey, request: CloseRequest): Promise<ClosedSession> {
    const closed = await this.#controls.close(this.#get(key), request);
    return { ...closed, running: this.#working() };
  }

  /** An idle shell that somebody watches is not ended. */
  async *#watched<T>(session: Session, stream: (session: Session) => AsyncIterable<T>): AsyncGenerator<T, void> {
    const stop = this.#shared.idleShells.watch(session);
    try {
      yield* stream(session);
    } finally {
      stop();
    }
  }

  /** Sessions that run, without idle shells. */
  #working(): readonly SessionName[] {
    const alive = this.#registry.list({ scope: this.#scope });
    return alive.filter((session) => !internalsOf(session).isIdle).map(nameOf);
  }

  #asker(caller: string): Asker {
    const asker = askerOf(caller, this.#scope, this.#client);
    if (asker.client !== undefined) this.#shared.idleShells.note(asker.client, asker.caller);
    return asker;
  }

  #get(key: SessionKey): Session {
    return this.#registry.get(key, this.#scope);
  }

  #known(id: number): Session | undefined {
    return this.#registry.list({ ended: true }).find((session) => session.id === id);
  }

  /** Keeps the session from expiring during `work`. */
  async #use<T>(key: SessionKey, work: (session: Session) => Promise<T>): Promise<T> {
    const { id } = this.#get(key);
    return await this.#registry.use([id], ([session]) => work(session as Session));
  }
}
