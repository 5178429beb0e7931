/**
 * Everything that can be asked of sessions, as plain requests and answers. `LocalService` implements it for a registry
 * in this process, `HostClient` for a host. Tools work the same with both.
 */
import type { Cursor, Page } from "../base/cursor.ts";
import type { Exit } from "../base/exit.ts";
import type { SandboxRequest } from "../base/sandbox-request.ts";
import type { LimitName, LimitState } from "../base/session-limits.ts";
import type { TerminalSize } from "../base/terminal-size.ts";
import type { JournalHealth } from "../journal/disk/disk-journal.ts";
import type { OutputOptions } from "../journal/follow-output.ts";
import type { Stroke } from "../keys/encode-stroke.ts";
import type { ListeningPort } from "../linux/files/list-listening.ts";
import type { EndReport, FirstSignal } from "../linux/processes/kill-process-tree.ts";
import type { RecordingState } from "../record/record-session.ts";
import type { RecordOptions } from "../record/record-source.ts";
import type { LoggedCommand } from "../session/command-log.ts";
import type { SessionOwner } from "../session/resolve-session.ts";
import type { TranscriptOptions, TranscriptPart } from "../session/transcript.ts";
import type { RunningProcess } from "../transport/probe.ts";
import type { FrozenBy } from "../transport/transport.ts";
import type { ApprovalService } from "./approvals/approval.ts";
import type { EventPage } from "./events/session-event.ts";
import type { Receipt, TurnAnswer, TurnRequest } from "./turn/turn.ts";
import type { TurnVerdict } from "./turn/turn-verdict.ts";

/**
 * An id, which reaches any session of the user, or a name, which is looked up in the project of the caller. A service
 * that spans places also takes `PLACE/ID` and `PLACE/NAME`.
 */
export type SessionKey = number | string;

/** The id and the name of a session, and where it is. */
export interface SessionName {
  /** Unique at its place. */
  readonly id: number;
  readonly name: string | null;
  /** The place where it runs; null: where the service itself is. */
  readonly place: string | null;
}

/** Which session it is, and whether its program has ended. */
export interface SessionIdentity extends SessionName {
  readonly exit: Exit | null;
  /** Its host died before the program ended. Its output is readable; its exit is unknown. */
  readonly lost: boolean;
  /** Whether all its output is on disk; null if it is not stored on disk. */
  readonly journal: JournalHealth | null;
  /** Why limpet closed it without being asked; null if it did not. */
  readonly closed: AutoClose | null;
  /** The size of its terminal; null on pipes. */
  readonly size: TerminalSize | null;
  /** The number of bytes printed so far, which is also the cursor of the end. */
  readonly outputBytes: Cursor;
  /** Input that the program has not read yet; once it has ended, input that it never got. */
  readonly unreadInputBytes: number;
  /** The program has asked its terminal something and got no answer, which it may wait for. */
  readonly asksTerminal: boolean;
  /** Set while a person keeps agents from typing; null otherwise. */
  readonly held: Hold | null;
  /** Set while a person has stopped everything in it: how. Null otherwise. */
  readonly frozen: FrozenBy | null;
}

/**
 * Why limpet closed a session that nobody asked it to close. `idle`: no caller had used it for `idleMs`. `left`: a
 * shell that was idle when its client had been gone for a while. `room`: a shell that was idle when its place was
 * needed. `limit`: it reached one of its limits.
 */
export type AutoClose =
  | { readonly reason: "idle"; readonly idleMs: number }
  | { readonly reason: "left" | "room" }
  | { readonly reason: "limit"; readonly limit: LimitName; readonly value: number };

/** A person keeps agents from typing into a session. */
export interface Hold {
  /** The reason that the person gave. */
  readonly reason: string | null;
  /** A person is typing: the hold ends by itself some seconds after the last key. Otherwise it lasts until released. */
  readonly isTyping?: true;
}

/** Who types. */
export interface WriteOptions {
  /** The bytes count as typed by this caller. Default: no caller. */
  readonly caller?: string;
  /** A person may type into a session that is held. Default `agent`. */
  readonly by?: "agent" | "person";
  /** A person's keys keep agents from typing for this long after them. Default: not at all. */
  readonly holdMs?: number;
}

/** What to type: text, bytes, or keys, pastes and clicks. Null closes the stdin of a program on pipes. */
export type SessionInput = string | Uint8Array | readonly Stroke[] | null;

/** The state of a session. */
export interface SessionState extends SessionIdentity {
  /** It is a shell at its prompt that runs no command. */
  readonly isIdle: boolean;
  /** The name of the program that has the terminal, such as an editor in a shell. Null: the program itself. */
  readonly foreground: string | null;
  readonly waitingFor: "line" | "password" | "key" | "unknown" | null;
}

/** A session whose program runs. */
export interface RunningSession extends SessionName {
  /** It is a shell at its prompt that runs no command. */
  readonly isIdle: boolean;
}

/** A session whose program has ended and left processes running. */
export interface SessionLeftovers extends SessionName {
  readonly left: readonly RunningProcess[];
}

/** A session in a list. */
export interface SessionSummary extends SessionState {
  /** The command, or the program and its arguments. */
  readonly program: string;
  /** Null if it belongs to nobody in particular. */
  readonly owner: SessionOwner | null;
  /** Null if it has all rights of the user. */
  readonly sandbox: SandboxRequest | null;
  /** How much it may use, who enforces that, and which limits were reached. Null without limits. */
  readonly limits: LimitState | null;
  /** The command that a shell runs now; null if it runs none. */
  readonly command: string | null;
  /** The directory of a shell after its last command; null for other programs. */
  readonly directory: string | null;
  readonly listening: readonly ListeningPort[];
  /** Processes that an ended program left running. */
  readonly left: readonly RunningProcess[];
  readonly ageMs: number;
  /** The time since a caller last used it. */
  readonly idleMs: number;
  /** The last line that is not blank, clean and short. */
  readonly lastLine: string;
  readonly recordings: readonly RecordingState[];
}

/** A program that waits for a password. */
export interface PasswordPrompt extends SessionName {
  /** Identifies the prompt. Opaque. */
  readonly token: string;
  /** The name of the program that asks, such as sudo. Null: the program of the session. */
  readonly program: string | null;
}

/** What a person answers at a password prompt. */
export interface PromptAnswer {
  /** Of the prompt that the person saw. */
  readonly token: string;
  /** Without a line end. It is redacted from now on. */
  readonly value: string;
}

/** Which sessions to list. */
export interface ListOptions {
  /** Also those that have ended and left nothing running. */
  readonly ended: boolean;
  /** Also those of other projects. Default false. */
  readonly all?: boolean;
}

/** An answer that a caller has received. */
export interface ReceiptOf {
  readonly caller: string;
  readonly receipt: Receipt;
}

/** An answer that a caller has not received: by its receipt, or by its request if it never arrived. */
export type Undelivered = ReceiptOf | { readonly caller: string; readonly requestId: string };

/** A session that was closed, and the sessions that still run, without idle shells. */
export interface ClosedSession extends SessionName {
  readonly report: EndReport;
  readonly running: readonly SessionName[];
  /** Which files its sandbox put back, one line each. */
  readonly sandboxNotes: readonly string[];
}

/** A session that was resized, and the sessions that run, without idle shells. */
export interface ResizedSession extends SessionName {
  readonly running: readonly SessionName[];
}

/** A signal such as `SIGINT`, and which processes get it. Default `foreground`. */
export interface SignalRequest {
  readonly signal: NodeJS.Signals;
  readonly to?: "foreground" | "program" | "tree" | undefined;
}

/** How to start the program again. */
export interface RestartOptions {
  /** The environment of a program that has ended; a running one hands on its own. Default: that of a new session. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** The new session, and the one that it replaces. */
export interface RestartedSession extends SessionName {
  readonly former: SessionName;
}

/** The size of a viewer's window, or null when the viewer leaves. */
export interface SizeLoan {
  /** Unique per viewer. */
  readonly viewer: string;
  readonly size: TerminalSize | null;
}

/** How to close a session. */
export interface CloseRequest {
  /** Kill at once, without a grace period. */
  readonly force: boolean;
  /** What is sent first otherwise. Default SIGHUP. */
  readonly firstSignal?: FirstSignal | undefined;
  /** Leave the output readable, like that of a session which has ended by itself. Default false. */
  readonly keepOutput?: boolean | undefined;
  /** Who closes it, and with which tool: for the audit. */
  readonly caller?: string | undefined;
  readonly tool?: string | undefined;
}

/** What a caller is about to do at a place. */
export interface FarAct {
  readonly caller: string;
  readonly place: string;
  readonly event: "start" | "run" | "typed" | "close";
  /** The id there; null if it is not known yet. */
  readonly session: number | null;
  /** All of it, as a person approves it. */
  readonly text: string;
  /** What is written down; null for typed text, which never is. */
  readonly command: string | null;
  readonly tool?: string | undefined;
  readonly verdict?: TurnVerdict | undefined;
}

/** A place that did not answer when it was last asked. */
export interface SilentPlace {
  readonly place: string;
  readonly problem: string;
}

/** Everything that can be asked of sessions, in this process or in a host. */
export interface SessionService {
  readonly approvals: ApprovalService;
  /**
   * Writes down what a caller is about to do at a place, and uses up its approval. Rejects if it must not be done: then
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
   * program does not wait there any more or the terminal echoes.
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
  /** The commands that callers ran in a shell, oldest first; empty for other sessions. */
  history(key: SessionKey): Promise<readonly LoggedCommand[]>;
  /** What happens in the sessions of the project from now on, until the signal is aborted. */
  events(options: { readonly signal?: AbortSignal }): AsyncIterable<EventPage>;
  /** Lets only people type until the release. Holding again changes the reason. */
  hold(key: SessionKey, hold: Hold): Promise<void>;
  /** False if the session was not held. */
  release(key: SessionKey): Promise<boolean>;
  /** Stops everything in a session until it is thawed. Agents cannot type into it. Resolves with how it was stopped. */
  freeze(key: SessionKey): Promise<FrozenBy>;
  /** False if the session was not frozen. */
  thaw(key: SessionKey): Promise<boolean>;
  /** Gives a running session another name. Rejects with `NAME_TAKEN` if a live session of its project has it. */
  rename(key: SessionKey, name: string): Promise<SessionName>;
  /** Sends a signal to the foreground program, to the program that was started, or to everything in the session. */
  signal(key: SessionKey, signal: SignalRequest): Promise<SessionName>;
  /**
   * Ends a session and starts its program anew, with the same arguments, directory, size and name. The output of the
   * ended one stays readable. Rejects with `BAD_OPTION` for a shell of `run`.
   */
  restart(key: SessionKey, options?: RestartOptions): Promise<RestartedSession>;
  /** Callers other than this one are told of the new size. */
  resize(key: SessionKey, size: TerminalSize, options?: { readonly caller?: string }): Promise<ResizedSession>;
  /**
   * Gives the session a size while somebody watches it; null, or the end of the connection, takes it back. The newest
   * one counts. When nobody lends a size any more, the session has its own again.
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
