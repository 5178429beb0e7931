/** Sessions of this process, for the tools: a registry, and each caller's place in each session. */
import type { Page } from "../base/cursor.ts";
import { LimpetError } from "../base/limpet-error.ts";
import type { TerminalSize } from "../base/terminal-size.ts";
import type { OutputOptions } from "../journal/follow-output.ts";
import { encodeStrokes, type Stroke } from "../keys/encode-strokes.ts";
import type { EndReport } from "../linux/end-tree.ts";
import type { RecordingState } from "../record/record-session.ts";
import type { RecordOptions } from "../record/record-source.ts";
import { screenOf } from "../screen/screen.ts";
import { waitForScreen } from "../screen/wait-for-screen.ts";
import type { SearchOptions, SessionReading, TextOptions } from "../session/read/read-digest.ts";
import type { Session } from "../session/session.ts";
import type { SessionRegistry } from "../session/session-registry.ts";
import { waitForAny } from "../session/wait/wait-for-any.ts";
import type { GrepResult } from "../text/search/grep.ts";
import { HandOver } from "./hand-over.ts";
import { Listing, nameOf } from "./listing.ts";
import { ReadPositions } from "./read-positions.ts";
import { RunningRecordings } from "./running-recordings.ts";
import { SeenScreens } from "./seen-screens.ts";
import type {
  Confirmation,
  GivenBack,
  Hold,
  RunAnswer,
  RunRequest,
  ScreenAnswer,
  ScreenRequest,
  ScreenWaitAnswer,
  ScreenWaitRequest,
  SessionIdentity,
  SessionKey,
  SessionLeftovers,
  SessionName,
  SessionService,
  SessionState,
  SessionSummary,
  StartedSession,
  StartRequest,
  UnreadRequest,
  WaitAnswer,
  WaitRequest,
  WriteOptions,
} from "./session-service.ts";
import { Shells } from "./shells.ts";
import { Starts } from "./starts.ts";

/** What all views of the same sessions share. */
interface Shared {
  readonly places: ReadPositions;
  readonly handOver: HandOver;
  readonly recordings: RunningRecordings;
  readonly seenScreens: SeenScreens;
  readonly shells: Shells;
  readonly starts: Starts;
  readonly listing: Listing;
}

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

  /** The same sessions, for callers that reach us through one client: what it was given must be confirmed. */
  forClient(client: string): SessionService {
    return new LocalService(this.#registry, { shared: this.#shared, client });
  }

  start(request: StartRequest): Promise<StartedSession> {
    return this.#shared.starts.start(request);
  }

  async write(key: SessionKey, input: string | Uint8Array, options: WriteOptions = {}): Promise<void> {
    await this.#use(key, async (session) => await this.#type(session, input, options));
  }

  async endInput(key: SessionKey, options: WriteOptions = {}): Promise<void> {
    await this.#use(key, async (session) => {
      this.#shared.handOver.requireFree(session, options);
      session.endInput();
    });
  }

  async run(request: RunRequest): Promise<RunAnswer> {
    const { caller, command } = request;
    const { shell, result, ...remarks } = await this.#shared.shells.run(request, (session) => {
      this.#shared.handOver.requireFree(session, { caller });
      this.#shared.handOver.note(session, Buffer.byteLength(command), { caller });
    });
    const { session } = shell;
    // It has all up to here; a later call tells only what came since.
    await this.#shared.places.readerFor(session, this.#as(caller)).moveTo(result.to);
    return { ...nameOf(session), ...result, ...remarks };
  }

  async press(key: SessionKey, strokes: readonly Stroke[], options: WriteOptions = {}): Promise<void> {
    await this.#use(key, async (session) => {
      const modes = session.keyModes;
      await this.#type(session, encodeStrokes(strokes, modes), options);
    });
  }

  async screen(key: SessionKey, { caller, ...options }: ScreenRequest): Promise<ScreenAnswer> {
    return await this.#use(key, async (session) => {
      const { snapshot, modes } = await screenOf(session).state(options);
      return { ...nameOf(session), snapshot, modes, before: this.#shared.seenScreens.swap(session, caller, snapshot) };
    });
  }

  async waitForScreen(key: SessionKey, request: ScreenWaitRequest): Promise<ScreenWaitAnswer> {
    const { caller, scrollback, cells, ...options } = request;
    const wait = async (session: Session) => (await waitForScreen(session, options)).reason;
    const reason = await this.#use(key, wait);
    const look = {
      caller,
      ...(scrollback === undefined ? {} : { scrollback }),
      ...(cells === undefined ? {} : { cells }),
    };
    return { ...(await this.screen(key, look)), reason };
  }

  async typedByOthers(key: SessionKey, caller: string): Promise<number> {
    return this.#shared.handOver.typedByOthers(this.#registry.get(key), caller);
  }

  async hold(key: SessionKey, hold: Hold): Promise<void> {
    const session = this.#registry.get(key);
    if (session.exit !== undefined) {
      throw new LimpetError(
        "SESSION_ENDED",
        `Session ${session.id} has ended, and nobody can type into it. Hold one that runs.`,
      );
    }
    this.#shared.handOver.hold(session, hold);
  }

  async release(key: SessionKey): Promise<boolean> {
    return this.#shared.handOver.release(this.#registry.get(key));
  }

  record(key: SessionKey, options: RecordOptions): Promise<RecordingState> {
    return this.#use(key, (session) => this.#shared.recordings.start(session, options));
  }

  stopRecording(key: SessionKey, { file }: { readonly file?: string }): Promise<readonly RecordingState[]> {
    return this.#use(key, (session) => this.#shared.recordings.stop(session, file));
  }

  async wait({ keys, caller, isLooking = false, isWatch = false, ...options }: WaitRequest): Promise<WaitAnswer> {
    const from = (session: Session) => {
      if (caller === undefined) return session.seenTo;
      const read = this.#shared.places.cursorOf(session, this.#as(caller));
      return isLooking ? Math.max(read, this.#shared.seenScreens.cursorOf(session, caller)) : read;
    };
    const wait = (sessions: readonly Session[]) => waitForAny(sessions, { ...options, from });
    const { session, yielded } = isWatch
      ? await wait(keys.map((key) => this.#registry.get(key)))
      : await this.#registry.use(keys, wait);
    return { id: session.id, yielded };
  }

  unread(key: SessionKey, { caller, ...options }: UnreadRequest): Promise<SessionReading> {
    return this.#use(key, async (session) => {
      const reading = await this.#shared.places.readerFor(session, this.#as(caller)).next(options);
      if (this.#client === undefined) await this.#shared.places.confirm(session, caller, reading.next);
      return reading;
    });
  }

  async confirm(key: SessionKey, { caller, cursor }: Confirmation): Promise<void> {
    await this.#shared.places.confirm(this.#registry.get(key), caller, cursor);
  }

  async giveBack(key: SessionKey, { caller, ...range }: GivenBack): Promise<void> {
    await this.#shared.places.giveBack(this.#registry.get(key), this.#as(caller), range);
  }

  async skipUnread(key: SessionKey, caller: string): Promise<void> {
    const session = this.#registry.get(key);
    const reader = this.#shared.places.readerFor(session, this.#as(caller));
    await reader.skip();
    await this.#shared.places.confirm(session, caller, reader.cursor);
  }

  text(key: SessionKey, options: TextOptions): Promise<SessionReading> {
    return this.#use(key, (session) => session.text(options));
  }

  head(key: SessionKey, lines: number, options: TextOptions): Promise<SessionReading> {
    return this.#use(key, (session) => session.head(lines, options));
  }

  tail(key: SessionKey, lines: number, options: TextOptions): Promise<SessionReading> {
    return this.#use(key, (session) => session.tail(lines, options));
  }

  grep(key: SessionKey, pattern: string, options: SearchOptions): Promise<GrepResult> {
    return this.#use(key, (session) => session.grep(pattern, options));
  }

  async *output(key: SessionKey, options: OutputOptions): AsyncGenerator<Page, void, undefined> {
    yield* this.#registry.get(key).output(options);
  }

  async identify(key: SessionKey): Promise<SessionIdentity> {
    return this.#shared.listing.identityOf(this.#registry.get(key));
  }

  state(key: SessionKey): Promise<SessionState> {
    return this.#use(key, (session) => this.#shared.listing.stateOf(session));
  }

  async running(): Promise<readonly SessionName[]> {
    return this.#registry.list().map(nameOf);
  }

  list(options: { readonly ended: boolean }): Promise<readonly SessionSummary[]> {
    return this.#shared.listing.list(options);
  }

  leftovers(): Promise<readonly SessionLeftovers[]> {
    return this.#shared.listing.leftovers();
  }

  async resize(key: SessionKey, size: TerminalSize): Promise<void> {
    this.#registry.get(key).resize(size);
  }

  close(key: SessionKey, options: { readonly force: boolean }): Promise<EndReport> {
    return this.#registry.close(key, options);
  }

  async #type(session: Session, input: string | Uint8Array, options: WriteOptions): Promise<void> {
    this.#shared.handOver.requireFree(session, options);
    await session.write(input);
    this.#shared.handOver.note(session, Buffer.byteLength(input), options);
  }

  /** It does not expire before `work` has ended. */
  #use<T>(key: SessionKey, work: (session: Session) => Promise<T>): Promise<T> {
    return this.#registry.use([key], ([session]) => work(session as Session));
  }

  #as(caller: string): { readonly caller: string; readonly client: string | undefined } {
    return { caller, client: this.#client };
  }
}

function newShared(registry: SessionRegistry): Shared {
  const handOver = new HandOver();
  const recordings = new RunningRecordings();
  return {
    places: new ReadPositions(),
    handOver,
    recordings,
    seenScreens: new SeenScreens(),
    shells: new Shells(registry),
    starts: new Starts(registry),
    listing: new Listing({ registry, handOver, recordings }),
  };
}
