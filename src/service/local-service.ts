/**
 * A service over the sessions of a registry in this process. Each caller has its own position in each session. Names
 * and lists are those of the scope.
 */
import type { Page } from "../base/cursor.ts";
import type { TerminalSize } from "../base/terminal-size.ts";
import type { OutputOptions } from "../journal/follow-output.ts";
import { readProcessUsage } from "../linux/processes/read-usage.ts";
import type { RecordingState } from "../record/record-session.ts";
import type { RecordOptions } from "../record/record-source.ts";
import type { Audit, AuditActor } from "../safety/audit/audit.ts";
import { commandLogOf, type LoggedCommand } from "../session/command-log.ts";
import { EVERYWHERE, type Scope } from "../session/registry/resolve-session.ts";
import type { SessionRegistry } from "../session/registry/session-registry.ts";
import { internalsOf } from "../session/session-internals.ts";
import { transcript } from "../session/transcript.ts";
import type { TranscriptOptions, TranscriptPart } from "../session/transcript-part.ts";
import type { FrozenBy } from "../transport/transport.ts";
import type { ApprovalService } from "./approvals/approval.ts";
import { localApprovals } from "./approvals/local-approvals.ts";
import type {
  ClosedSession,
  CloseRequest,
  ResizedSession,
  RestartedSession,
  RestartOptions,
  SignalRequest,
  SizeLoan,
} from "./control/control-requests.ts";
import { Controls } from "./control/controls.ts";
import type { Hold, ReleaseOptions } from "./control/hold.ts";
import type { EventOptions, EventPage } from "./events/session-event.ts";
import { type FarAct, noteFarAct, notHere } from "./far-acts.ts";
import type { SessionInput, WriteOptions } from "./input/session-input.ts";
import { nameOf } from "./listing/listing.ts";
import type { SessionKey, SessionName } from "./listing/session-name.ts";
import type { RunningSession, SessionIdentity } from "./listing/session-state.ts";
import type { ListOptions, SessionSummary } from "./listing/session-summary.ts";
import type { UsingProcess } from "./listing/using-process.ts";
import { ReachedSessions } from "./reached-sessions.ts";
import type { PasswordPrompt, PromptAnswer } from "./secrets/prompt.ts";
import { promptToken } from "./secrets/prompt-token.ts";
import type { Secrets } from "./secrets/secrets.ts";
import type { SessionService } from "./session-service.ts";
import { type SharedParts, shareParts } from "./shared-parts.ts";
import type { ReceiptOf, Undelivered } from "./turn/receipt.ts";
import type { TurnAnswer } from "./turn/turn-answer.ts";
import type { TurnRequest } from "./turn/turn-request.ts";

/** Through which client a service is used, and from which project. */
interface View {
  readonly shared?: SharedParts;
  readonly client?: string;
  /** Default: all sessions of the registry, and no project. */
  readonly scope?: Scope;
  /** Where acts are recorded. Default: nowhere. Ignored with `shared`. */
  readonly audit?: Audit;
  /** Default: there are none. */
  readonly secrets?: Secrets | undefined;
  /**
   * Where copies of what the sandbox replaces in guarded files are kept. Default: beside the journals, if those are on
   * disk.
   */
  readonly replacedIn?: string;
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
  readonly #sessions: ReachedSessions;

  constructor(registry: SessionRegistry, { shared, client, scope = EVERYWHERE, ...own }: View = {}) {
    this.#registry = registry;
    this.#shared = shared ?? shareParts(registry, own);
    this.#client = client;
    this.#scope = scope;
    this.#sessions = new ReachedSessions({ registry, idleShells: this.#shared.idleShells, scope, client });
    this.approvals = localApprovals({
      shared: this.#shared,
      scope,
      askerOf: (caller) => this.#sessions.asker(caller),
      find: (key) => this.#sessions.get(key),
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
    return await this.#shared.turns.run(request, this.#sessions.asker(request.caller));
  }

  async noteFarAct(act: FarAct): Promise<void> {
    await noteFarAct(act, this.#sessions.asker(act.caller), this.#shared);
  }

  acknowledge({ caller, receipt }: ReceiptOf): void {
    const session = this.#sessions.known(receipt.session);
    if (!session) return;
    const { positions, reports } = this.#shared;
    const { caller: reader } = this.#sessions.asker(caller);
    positions.acknowledge(session, reader, receipt);
    reports.acknowledge(session, reader, receipt.events);
  }

  giveBack(undelivered: Undelivered): void {
    this.#shared.turns.giveBack(undelivered, this.#sessions.asker(undelivered.caller));
  }

  async write(key: SessionKey, input: SessionInput, options: WriteOptions = {}): Promise<void> {
    const { caller, ...rest } = options;
    const typist = caller === undefined ? rest : { ...rest, caller: this.#sessions.asker(caller).caller };
    await this.#shared.trail.act(async () => {
      const session = this.#sessions.get(key);
      const bytes = await this.#sessions.use(key, () => this.#shared.gate.write(session, input, typist));
      this.#shared.trail.typedPart(session, bytes, { ...this.#actor, caller });
    });
  }

  async passwordPrompt(key: SessionKey): Promise<PasswordPrompt | null> {
    return await this.#sessions.use(key, async (session) => {
      // An uncertain observation is repeated first.
      if ((await session.waitingFor()) !== "password") return null;
      const token = promptToken(session);
      return token === undefined ? null : { ...nameOf(session), token, program: internalsOf(session).foreground };
    });
  }

  async answerPrompt(key: SessionKey, answer: PromptAnswer): Promise<void> {
    await this.#shared.trail.act(async () => {
      const session = this.#sessions.get(key);
      const bytes = await this.#sessions.use(key, () => this.#shared.prompts.type(session, answer, { by: "person" }));
      this.#shared.trail.typedPart(session, bytes, { ...this.#actor, caller: undefined });
    });
  }

  async *output(key: SessionKey, options: OutputOptions): AsyncGenerator<Page, void, undefined> {
    yield* this.#sessions.watch(key, (session) => session.output(options));
  }

  async *transcript(key: SessionKey, options: TranscriptOptions): AsyncGenerator<TranscriptPart, void, undefined> {
    yield* this.#sessions.watch(key, (session) => transcript(session, options));
  }

  async find(key: SessionKey): Promise<SessionIdentity> {
    return this.#shared.listing.identityOf(this.#sessions.get(key));
  }

  async running(): Promise<readonly RunningSession[]> {
    return this.#sessions.running().map((session) => ({ ...nameOf(session), isIdle: internalsOf(session).isIdle }));
  }

  list(options: ListOptions): Promise<readonly SessionSummary[]> {
    return this.#shared.listing.list(options, this.#scope);
  }

  async processes(key: SessionKey): Promise<readonly UsingProcess[] | null> {
    const running = await internalsOf(this.#sessions.get(key)).channel.probe?.running();
    return running?.map((process) => ({ ...process, ...readProcessUsage(process.pid) })) ?? null;
  }

  async history(key: SessionKey): Promise<readonly LoggedCommand[]> {
    return commandLogOf(this.#sessions.get(key)).entries;
  }

  events(options: EventOptions): AsyncIterable<EventPage> {
    return this.#shared.events.events(this.#scope, options);
  }

  async hold(key: SessionKey, hold: Hold): Promise<void> {
    await this.#controls.hold(this.#sessions.get(key), hold);
  }

  async release(key: SessionKey, options: ReleaseOptions = {}): Promise<boolean> {
    return await this.#controls.release(this.#sessions.get(key), options);
  }

  async freeze(key: SessionKey): Promise<FrozenBy> {
    return await this.#controls.freeze(this.#sessions.get(key));
  }

  async thaw(key: SessionKey): Promise<boolean> {
    return await this.#controls.thaw(this.#sessions.get(key));
  }

  async rename(key: SessionKey, name: string): Promise<SessionName> {
    return nameOf(this.#registry.rename(key, name, this.#scope));
  }

  async signal(key: SessionKey, request: SignalRequest): Promise<SessionName> {
    return await this.#controls.signal(this.#sessions.get(key), request);
  }

  async restart(key: SessionKey, options: RestartOptions = {}): Promise<RestartedSession> {
    return await this.#sessions.use(key, (session) => this.#controls.restart(session, options));
  }

  async resize(key: SessionKey, size: TerminalSize, { caller }: { caller?: string } = {}): Promise<ResizedSession> {
    const session = this.#sessions.get(key);
    session.resize(size);
    if (caller !== undefined) this.#shared.sizes.note(session, this.#sessions.asker(caller).caller);
    return { ...nameOf(session), running: this.#sessions.working() };
  }

  async lendSize(key: SessionKey, { viewer, size }: SizeLoan): Promise<void> {
    const lender = { viewer, client: this.#client };
    if (size === null) this.#shared.loans.takeBack(this.#sessions.get(key), lender);
    else this.#shared.loans.lend(this.#sessions.get(key), lender, size);
  }

  record(key: SessionKey, options: RecordOptions): Promise<RecordingState> {
    return this.#sessions.use(key, (session) => this.#shared.recordings.start(session, options));
  }

  stopRecording(key: SessionKey, { file }: { readonly file?: string }): Promise<readonly RecordingState[]> {
    return this.#sessions.use(key, (session) => this.#shared.recordings.stop(session, file));
  }

  async close(key: SessionKey, request: CloseRequest): Promise<ClosedSession> {
    const closed = await this.#controls.close(this.#sessions.get(key), request);
    return { ...closed, running: this.#sessions.working() };
  }
}
