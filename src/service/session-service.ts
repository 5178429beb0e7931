/**
 * Everything that can be asked of sessions, as plain requests and answers. `LocalService` implements it for a registry
 * in this process, `HostClient` for a host. Tools work the same with both.
 */
import type { Page } from "../base/cursor.ts";
import type { TerminalSize } from "../base/terminal-size.ts";
import type { OutputOptions } from "../journal/follow-output.ts";
import type { RecordingState } from "../record/record-session.ts";
import type { RecordOptions } from "../record/record-source.ts";
import type { LoggedCommand } from "../session/command-log.ts";
import type { TranscriptOptions, TranscriptPart } from "../session/transcript-part.ts";
import type { FrozenBy } from "../transport/transport.ts";
import type { ApprovalService } from "./approvals/approval.ts";
import type {
  ClosedSession,
  CloseRequest,
  ResizedSession,
  RestartedSession,
  RestartOptions,
  SignalRequest,
  SizeLoan,
} from "./control/control-requests.ts";
import type { Hold, ReleaseOptions } from "./control/hold.ts";
import type { EventOptions, EventPage } from "./events/session-event.ts";
import type { FarAct } from "./far-acts.ts";
import type { SessionInput, WriteOptions } from "./input/session-input.ts";
import type { SessionKey, SessionName } from "./listing/session-name.ts";
import type { RunningSession, SessionIdentity } from "./listing/session-state.ts";
import type { ListOptions, SessionSummary } from "./listing/session-summary.ts";
import type { SilentPlace } from "./listing/silent-place.ts";
import type { UsingProcess } from "./listing/using-process.ts";
import type { PasswordPrompt, PromptAnswer } from "./secrets/prompt.ts";
import type { ReceiptOf, Undelivered } from "./turn/receipt.ts";
import type { TurnAnswer } from "./turn/turn-answer.ts";
import type { TurnRequest } from "./turn/turn-request.ts";

/** Everything that can be asked of sessions, in this process or in a host. */
export interface SessionService {
  readonly approvals: ApprovalService;
  /**
   * Records what a caller is about to do at a place, and uses up its approval. Rejects if it must not be done: then
   * nothing may be sent there.
   */
  noteFarAct(act: FarAct): Promise<void>;
  /** The places that did not answer when they were last asked. Only of a service that spans places. */
  silentPlaces?(): readonly SilentPlace[];
  /** Runs one turn. Rejects with the signal's reason if it is aborted; then no output counts as read. */
  turn(request: TurnRequest): Promise<TurnAnswer>;
  /** The caller has received the answer with this receipt: its output is not returned again. Returns at once. */
  acknowledge(delivered: ReceiptOf): void;
  /**
   * The answer was not delivered: its output is unread again, before any later turn reads. Ends the wait of a request
   * that is not answered yet. Calling it again for the same request changes nothing.
   */
  giveBack(undelivered: Undelivered): void;
  /**
   * Types without reading. Resolves when the terminal has accepted all of it. Rejects agents with `SESSION_HELD` during
   * a hold.
   */
  write(key: SessionKey, input: SessionInput, options?: WriteOptions): Promise<void>;
  /** The password prompt at which the program waits; null if it does not wait for a password. */
  passwordPrompt(key: SessionKey): Promise<PasswordPrompt | null>;
  /**
   * Types a password and Enter, at the prompt with that token. Rejects with `PROMPT_CHANGED`, and types nothing, if the
   * program no longer waits there or the terminal echoes.
   */
  answerPrompt(key: SessionKey, answer: PromptAnswer): Promise<void>;
  /**
   * Streams all output from a cursor until no more can follow. A reader that falls behind finds what it lost in
   * `dropped`, and never slows the program down. Does not count as use of the session.
   */
  output(key: SessionKey, options: OutputOptions): AsyncIterable<Page>;
  /** Streams what people see: the output, and between it the commands that callers ran. Otherwise like `output`. */
  transcript(key: SessionKey, options: TranscriptOptions): AsyncIterable<TranscriptPart>;
  /** The identity of a session, without probing its program. */
  find(key: SessionKey): Promise<SessionIdentity>;
  /** Sessions of the project whose program runs, in the order of their start, without probing the programs. */
  running(): Promise<readonly RunningSession[]>;
  /** Sessions of the project that run, left processes running or were lost; with `ended` also the others. */
  list(options: ListOptions): Promise<readonly SessionSummary[]>;
  /** The program and everything that it started and still runs; null if that cannot be known. */
  processes(key: SessionKey): Promise<readonly UsingProcess[] | null>;
  /** The commands that callers ran in a shell, oldest first; empty for other sessions. */
  history(key: SessionKey): Promise<readonly LoggedCommand[]>;
  /** What happens in the sessions of the project from now on, until the signal is aborted. */
  events(options: EventOptions): AsyncIterable<EventPage>;
  /** Lets only people type until the release. Holding again changes the reason. */
  hold(key: SessionKey, hold: Hold): Promise<void>;
  /** False if the session was not held. The next answer to each caller has the note. */
  release(key: SessionKey, options?: ReleaseOptions): Promise<boolean>;
  /** Stops everything in a session until it is thawed. Agents cannot type into it. Resolves with how it was stopped. */
  freeze(key: SessionKey): Promise<FrozenBy>;
  /** False if the session was not frozen. */
  thaw(key: SessionKey): Promise<boolean>;
  /** Gives a running session another name. Rejects with `NAME_TAKEN` if a live session of its project has it. */
  rename(key: SessionKey, name: string): Promise<SessionName>;
  /** Sends a signal to the foreground program, to the program that was started, or to everything in the session. */
  signal(key: SessionKey, signal: SignalRequest): Promise<SessionName>;
  /**
   * Ends a session and starts its program again, with the same arguments, directory, size and name. The output of the
   * ended one stays readable. Rejects with `BAD_OPTION` for a shell of `run`.
   */
  restart(key: SessionKey, options?: RestartOptions): Promise<RestartedSession>;
  /** The new size is reported to the other callers. */
  resize(key: SessionKey, size: TerminalSize, options?: { readonly caller?: string }): Promise<ResizedSession>;
  /**
   * Gives the session a size while somebody watches it; null, or the end of the connection, takes it back. The newest
   * one counts. When the last loan ends, the session has its own size again.
   */
  lendSize(key: SessionKey, loan: SizeLoan): Promise<void>;
  /**
   * Records until the session ends or the recording is stopped. The owner of the session writes the file: pass an
   * absolute path.
   */
  record(key: SessionKey, options: RecordOptions): Promise<RecordingState>;
  /** Stops one recording by its file, or all recordings of the session. */
  stopRecording(key: SessionKey, options: { readonly file?: string }): Promise<readonly RecordingState[]>;
  /** Ends a session and everything it started, and deletes its output unless `keepOutput`. */
  close(key: SessionKey, options: CloseRequest): Promise<ClosedSession>;
}
