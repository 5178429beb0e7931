/** A service over the sessions of a registry in this process. Each caller has its own position in each session. */
import type { Page } from "../base/cursor.ts";
import type { TerminalSize } from "../base/terminal-size.ts";
import type { OutputOptions } from "../journal/follow-output.ts";
import type { RecordingState } from "../record/record-session.ts";
import type { RecordOptions } from "../record/record-source.ts";
import type { Session } from "../session/session.ts";
import type { SessionRegistry } from "../session/session-registry.ts";
import { Holds } from "./holds.ts";
import { InputGate } from "./input-gate.ts";
import { Listing, nameOf } from "./listing.ts";
import { ReadPositions } from "./read-positions.ts";
import { RunningRecordings } from "./running-recordings.ts";
import { SeenScreens } from "./seen-screens.ts";
import type {
  ClosedSession,
  CloseRequest,
  Hold,
  ReceiptOf,
  ResizedSession,
  SessionIdentity,
  SessionInput,
  SessionKey,
  SessionName,
  SessionService,
  SessionSummary,
  Undelivered,
  WriteOptions,
} from "./session-service.ts";
import { Shells } from "./shells.ts";
import { Starts } from "./starts.ts";
import type { TurnAnswer, TurnRequest } from "./turn.ts";
import { TurnReader } from "./turn-reader.ts";
import { TurnRunner } from "./turn-runner.ts";
import { TypedBytes } from "./typed-bytes.ts";

/** The parts that all clients of the same sessions share. */
interface Shared {
  readonly positions: ReadPositions;
  readonly holds: Holds;
  readonly gate: InputGate;
  readonly recordings: RunningRecordings;
  readonly listing: Listing;
  readonly reader: TurnReader;
  readonly turns: TurnRunner;
}

/** A service over the sessions of a registry in this process. */
export class LocalService implements SessionService {
  readonly #shared: Shared;
  readonly #registry: SessionRegistry;
  readonly #client: string | undefined;

  constructor(
    registry: SessionRegistry,
    { shared, client }: { readonly shared?: Shared; readonly client?: string } = {},
  ) {
    this.#registry = registry;
    this.#shared = shared ?? newShared(registry);
    this.#client = client;
  }

  /** The same sessions for the callers of one client. The client must acknowledge what it receives. */
  forClient(client: string): SessionService {
    return new LocalService(this.#registry, { shared: this.#shared, client });
  }

  turn(request: TurnRequest): Promise<TurnAnswer> {
    return this.#shared.turns.run(request, this.#client);
  }

  acknowledge({ caller, receipt }: ReceiptOf): void {
    const session = this.#known(receipt.session);
    if (session) this.#shared.positions.acknowledge(session, caller, receipt);
  }

  giveBack(undelivered: Undelivered): void {
    this.#shared.turns.giveBack(undelivered, this.#client);
  }

  async write(key: SessionKey, input: SessionInput, options: WriteOptions = {}): Promise<void> {
    await this.#use(key, (session) => this.#shared.gate.write(session, input, options));
  }

  async *output(key: SessionKey, options: OutputOptions): AsyncGenerator<Page, void, undefined> {
    yield* this.#registry.get(key).output(options);
  }

  async find(key: SessionKey): Promise<SessionIdentity> {
    return this.#shared.listing.identityOf(this.#registry.get(key));
  }

  async running(): Promise<readonly SessionName[]> {
    return this.#registry.list().map(nameOf);
  }

  list(options: { readonly ended: boolean }): Promise<readonly SessionSummary[]> {
    return this.#shared.listing.list(options);
  }

  async hold(key: SessionKey, hold: Hold): Promise<void> {
    this.#shared.holds.hold(this.#registry.get(key), hold);
  }

  async release(key: SessionKey): Promise<boolean> {
    return this.#shared.holds.release(this.#registry.get(key));
  }

  async resize(key: SessionKey, size: TerminalSize): Promise<ResizedSession> {
    const session = this.#registry.get(key);
    session.resize(size);
    return { ...nameOf(session), running: await this.running() };
  }

  record(key: SessionKey, options: RecordOptions): Promise<RecordingState> {
    return this.#use(key, (session) => this.#shared.recordings.start(session, options));
  }

  stopRecording(key: SessionKey, { file }: { readonly file?: string }): Promise<readonly RecordingState[]> {
    return this.#use(key, (session) => this.#shared.recordings.stop(session, file));
  }

  async close(key: SessionKey, { force, firstSignal }: CloseRequest): Promise<ClosedSession> {
    const name = nameOf(this.#registry.get(key));
    const report = await this.#registry.close(name.id, { force, ...(firstSignal ? { firstSignal } : {}) });
    return { ...name, report, running: await this.running() };
  }

  #known(id: number): Session | undefined {
    return this.#registry.list({ ended: true }).find((session) => session.id === id);
  }

  /** Keeps the session from expiring during `work`. */
  #use<T>(key: SessionKey, work: (session: Session) => Promise<T>): Promise<T> {
    return this.#registry.use([key], ([session]) => work(session as Session));
  }
}

function newShared(registry: SessionRegistry): Shared {
  const positions = new ReadPositions();
  const seenScreens = new SeenScreens();
  const typed = new TypedBytes();
  const holds = new Holds();
  const gate = new InputGate(holds, typed);
  const recordings = new RunningRecordings();
  const listing = new Listing({ registry, holds, recordings });
  const reader = new TurnReader({ registry, positions, seenScreens, typed, listing });
  const shells = new Shells(registry);
  const starts = new Starts(registry);
  const turns = new TurnRunner({ registry, positions, seenScreens, gate, shells, starts, reader });
  return { positions, holds, gate, recordings, listing, reader, turns };
}
