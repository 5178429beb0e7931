/** Sessions of this process, for the tools: a registry, and each caller's place in each session. */
import { ShellError } from "../base/errors.ts";
import { MAX_GRACE_MS } from "../base/limits.ts";
import { ALTERNATE_SCREEN_NOTE } from "../output/clean.ts";
import type { GrepResult } from "../output/grep.ts";
import type { EndReport } from "../pty/end-tree.ts";
import type { TerminalSize } from "../pty/open-pty.ts";
import type { RecordOptions } from "../record/record-source.ts";
import type { RecordingState } from "../record/recorder.ts";
import { answerQueries } from "../screen/answer-queries.ts";
import { DEFAULT_MODES } from "../screen/modes.ts";
import { screenOf } from "../screen/screen.ts";
import { encodeStrokes, type Stroke } from "../screen/strokes.ts";
import { waitForScreen } from "../screen/wait-for-screen.ts";
import type { Page } from "../session/journal.ts";
import type { OutputOptions } from "../session/kept-output.ts";
import type { SearchOptions, SessionReading, TextOptions } from "../session/reading.ts";
import type { SessionRegistry } from "../session/registry.ts";
import type { Session } from "../session/session.ts";
import { waitForAny } from "../session/wait-several.ts";
import type { RunningProcess } from "../transport/transport.ts";
import { CallerPlaces } from "./caller-places.ts";
import { HandOver } from "./hand-over.ts";
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
  SessionState,
  SessionSummary,
  Sessions,
  StartedSession,
  StartRequest,
  UnreadRequest,
  WaitAnswer,
  WaitRequest,
  WriteOptions,
} from "./sessions.ts";
import { Shells } from "./shells.ts";

const LAST_LINE_CHARS = 80;
/** In place of the last line of a program that has no lines. */
const FULL_SCREEN = "[full screen]";

/** What all views of the same sessions share. */
interface Shared {
  readonly places: CallerPlaces;
  readonly handOver: HandOver;
  readonly recordings: RunningRecordings;
  readonly seenScreens: SeenScreens;
  readonly shells: Shells;
  /** By name: those that the next caller may want to share. */
  readonly starting: Map<string, Promise<StartedSession>>;
}

export class LocalSessions implements Sessions {
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
  forClient(client: string): Sessions {
    return new LocalSessions(this.#registry, { shared: this.#shared, client });
  }

  async start({ reuse = false, ...options }: StartRequest): Promise<StartedSession> {
    const { name } = options;
    if (!reuse || name === undefined) return await this.#open(options);
    // Whoever asks while it is just being started gets that one too, unless the start fails.
    await this.#shared.starting.get(name)?.catch(() => undefined);
    const running = this.#registry.list().find((session) => session.name === name && !isClosing(session));
    if (running) return { ...nameOf(this.#registry.get(running.id)), isReused: true };
    if (this.#shared.starting.has(name)) return await this.start({ reuse, ...options });
    const opening = this.#openAfter(name, options);
    this.#shared.starting.set(name, opening);
    try {
      return await opening;
    } finally {
      this.#shared.starting.delete(name);
    }
  }

  /** One that is being closed is of no use any more, but has the name until it has ended. */
  async #openAfter(name: string, options: Omit<StartRequest, "reuse">): Promise<StartedSession> {
    const closing = this.#registry.list().find((session) => session.name === name);
    // The closing itself ends, too, where the program could not be ended; a grace so long makes it no shorter.
    if (closing) await Promise.race([closing.exited, closing.close({ graceMs: MAX_GRACE_MS })]);
    return await this.#open(options);
  }

  async #open({
    env,
    answerQueries: answers = false,
    ...options
  }: Omit<StartRequest, "reuse">): Promise<StartedSession> {
    if (answers && options.tty === false) {
      throw new ShellError("BAD_OPTION", "answerQueries needs a terminal, and tty is false. Leave one of them out.");
    }
    const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
    const session = await this.#registry.open({
      ...(given as Omit<StartRequest, "env" | "reuse" | "answerQueries">),
      ...(env ? { extraEnv: env } : {}),
    } as Parameters<SessionRegistry["open"]>[0]);
    // From the first byte on: it may have asked already. A session whose questions cannot be answered goes on without.
    if (answers) void answerQueries(session, { from: 0 }).catch(() => undefined);
    return { ...nameOf(session), isReused: false };
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
      const modes = session.tty ? await screenOf(session).modes() : DEFAULT_MODES;
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
      throw new ShellError(
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
    return this.#identityOf(this.#registry.get(key));
  }

  state(key: SessionKey): Promise<SessionState> {
    return this.#use(key, async (session) => {
      const waitingFor = await session.waitingFor();
      return { ...this.#identityOf(session), waitingFor };
    });
  }

  async running(): Promise<readonly SessionName[]> {
    return this.#registry.list().map(nameOf);
  }

  async list({ ended }: { readonly ended: boolean }): Promise<readonly SessionSummary[]> {
    const all = await Promise.all(
      this.#registry.list({ ended: true }).map(async (session) => ({ session, left: await session.leftovers() })),
    );
    const shown = all.filter(
      ({ session, left }) => ended || session.exit === undefined || session.isLost || left.length > 0,
    );
    const looks = await Promise.all(shown.map(async (each) => ({ ...each, look: await lookAt(each.session) })));
    // One that was closed meanwhile is gone, and no reason to list nothing.
    const known = new Set(this.#registry.list({ ended: true }));
    return looks.filter(({ session }) => known.has(session)).map((looked) => this.#summarise(looked));
  }

  async leftovers(): Promise<readonly SessionLeftovers[]> {
    const all = this.#registry.list({ ended: true }).map(async (session) => ({
      ...nameOf(session),
      left: await session.leftovers(),
    }));
    return (await Promise.all(all)).filter(({ left }) => left.length > 0);
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

  #identityOf(session: Session): SessionIdentity {
    const closedAfterIdleMs = session.closeReason === "idle" ? (this.#registry.expiryMs ?? null) : null;
    return {
      ...nameOf(session),
      exit: session.exit ?? null,
      lost: session.isLost,
      journal: session.journalHealth ?? null,
      closedAfterIdleMs,
      size: session.tty ? session.size : null,
      outputBytes: session.endCursor,
      held: this.#shared.handOver.holdOf(session),
    };
  }

  #as(caller: string): { readonly caller: string; readonly client: string | undefined } {
    return { caller, client: this.#client };
  }

  #summarise({ session, left, look }: Looked): SessionSummary {
    return {
      ...this.#identityOf(session),
      program: describeProgram(session),
      left,
      ageMs: Date.now() - session.startedAt,
      idleMs: Math.round(this.#registry.idleMs(session.id)),
      recordings: this.#shared.recordings.states(session),
      ...look,
    };
  }
}

type Look = Pick<SessionSummary, "waitingFor" | "listening" | "lastLine">;

interface Looked {
  readonly session: Session;
  readonly left: readonly RunningProcess[];
  readonly look: Look;
}

/** What takes a moment to find out. */
async function lookAt(session: Session): Promise<Look> {
  const { waitingFor, listening } = await session.status();
  const { text } = await session.tail(3, { maxTokens: 1000, fold: false });
  const last = text.trimEnd().split("\n").at(-1) ?? "";
  const line = last === ALTERNATE_SCREEN_NOTE ? FULL_SCREEN : last;
  const lastLine = line.length > LAST_LINE_CHARS ? `${line.slice(0, LAST_LINE_CHARS - 1)}…` : line;
  return { waitingFor, listening, lastLine };
}

function newShared(registry: SessionRegistry): Shared {
  return {
    places: new CallerPlaces(),
    handOver: new HandOver(),
    recordings: new RunningRecordings(),
    seenScreens: new SeenScreens(),
    shells: new Shells(registry),
    starting: new Map(),
  };
}

function isClosing({ closeReason }: Session): boolean {
  return closeReason !== undefined;
}

function nameOf({ id, name }: Session): SessionName {
  return { id, name: name ?? null };
}

/** A command for a shell is shown as it was given. */
function describeProgram({ program, args }: Session): string {
  const [option, command] = args;
  const isCommand = args.length === 2 && (option === "-c" || option === "-lc");
  return isCommand && command !== undefined ? command : [program, ...args].join(" ");
}
