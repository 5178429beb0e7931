/**
 * All that tools may do with sessions, as plain requests and plain answers. The registry's `LocalService` implements it
 * in this process; a client of a host can implement it over a socket. A tool cannot tell which of them it has.
 */
import type { Cursor, Page } from "../base/cursor.ts";
import type { Exit } from "../base/exit.ts";
import type { DrawingModes, TerminalModes } from "../base/terminal-modes.ts";
import type { TerminalSize } from "../base/terminal-size.ts";
import type { JournalHealth } from "../journal/disk-journal.ts";
import type { OutputOptions } from "../journal/follow-output.ts";
import type { Stroke } from "../keys/encode-strokes.ts";
import type { EndReport } from "../linux/end-tree.ts";
import type { ListeningPort } from "../linux/list-listening.ts";
import type { RecordingState } from "../record/record-session.ts";
import type { RecordOptions } from "../record/record-source.ts";
import type { Snapshot } from "../screen/snapshot.ts";
import type { SnapshotOptions } from "../screen/take-snapshot.ts";
import type { ScreenWaitOptions, ScreenWaitResult } from "../screen/wait-for-screen.ts";
import type { NewTextOptions } from "../session/read/output-reader.ts";
import type { SearchOptions, SessionReading, TextOptions } from "../session/read/read-digest.ts";
import type { WaitResult } from "../session/wait/decide-wait.ts";
import type { SeveralOptions } from "../session/wait/wait-for-any.ts";
import type { RunResult } from "../shell/run-result.ts";
import type { GrepResult } from "../text/search/grep.ts";
import type { RunningProcess } from "../transport/probe.ts";

/** An id, or a name. */
export type SessionKey = number | string;

export interface StartRequest {
  readonly command: string;
  /** Default: the user's own shell where it is a known one, else /bin/bash. */
  readonly shell?: string | undefined;
  readonly login?: boolean | undefined;
  readonly cwd?: string | undefined;
  /** On top of the default environment. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly tty?: boolean | undefined;
  readonly size?: TerminalSize | undefined;
  readonly name?: string | undefined;
  /** Take the running session of that name, if there is one. */
  readonly reuse?: boolean | undefined;
  /** Answer what the program asks its terminal, with fixed forms and positions only. Default false: answers are typed into it. */
  readonly answerQueries?: boolean | undefined;
}

export interface StartedSession extends SessionName {
  /** It was running already. */
  readonly isReused: boolean;
}

/** What a session is called. */
export interface SessionName {
  readonly id: number;
  readonly name: string | null;
}

/** Which session it is, and whether its program has ended. */
export interface SessionIdentity extends SessionName {
  readonly exit: Exit | null;
  /** The host that ran it died before it did. What it had printed is there; how it ended, nobody knows. */
  readonly lost: boolean;
  /** Whether all its output is on disk, too; null where none was asked for. */
  readonly journal: JournalHealth | null;
  /** We closed it because nobody had used it for this long; null where that is not so. */
  readonly closedAfterIdleMs: number | null;
  /** Of its terminal; null where it has none. */
  readonly size: TerminalSize | null;
  /** All that it has ever printed: also the cursor of the end. */
  readonly outputBytes: number;
  /** A person keeps the agents from typing; null where nobody does. */
  readonly held: Hold | null;
}

/** A person wants to be alone at the terminal. */
export interface Hold {
  /** In the person's words. */
  readonly reason: string | null;
}

/** Who types. */
export interface WriteOptions {
  /** Known by this name to `typedByOthers`. Default: nobody in particular. */
  readonly caller?: string;
  /** A person may type into a session that is held. Default `agent`. */
  readonly by?: "agent" | "person";
}

/** How a session is doing. */
export interface SessionState extends SessionIdentity {
  /** Looked at now. */
  readonly waitingFor: "line" | "password" | "key" | "unknown" | null;
}

/** A session whose program has ended, but not all that it started. */
export interface SessionLeftovers extends SessionName {
  readonly left: readonly RunningProcess[];
}

/** What a listing shows of a session. */
export interface SessionSummary extends SessionState {
  /** The command, or the program and its arguments. */
  readonly program: string;
  readonly listening: readonly ListeningPort[];
  /** What an ended program left running. */
  readonly left: readonly RunningProcess[];
  readonly ageMs: number;
  /** Since a caller last touched it. */
  readonly idleMs: number;
  /** The last line that is not blank, clean and short. */
  readonly lastLine: string;
  readonly recordings: readonly RecordingState[];
}

/** Who reads: each caller has its own place up to which it has read each session. */
export interface UnreadRequest extends NewTextOptions {
  readonly caller: string;
}

/** What a caller has got. */
export interface Confirmation {
  readonly caller: string;
  readonly cursor: Cursor;
}

/** What a caller did not get. */
export interface GivenBack {
  readonly caller: string;
  readonly from: Cursor;
  readonly to: Cursor;
}

export interface WaitRequest extends Omit<SeveralOptions, "from"> {
  readonly keys: readonly SessionKey[];
  /** Where `until` begins: what this caller has not read yet. Default: where the last wait ended. */
  readonly caller?: string;
  /** `until` passes over what this caller has seen on the screen, too. Default false. */
  readonly isLooking?: boolean;
  /** Nobody's own call, only a watch: it keeps no session from expiring. Default false. */
  readonly isWatch?: boolean;
}

export interface WaitAnswer {
  readonly id: number;
  readonly yielded: WaitResult;
}

/** One command for a shell that stays. */
export interface RunRequest {
  readonly command: string;
  /** A shell that runs by its id or name; a name that no running one has starts another. */
  readonly shell: SessionKey;
  readonly caller: string;
  /** Ends the command after so long. Default: no limit. */
  readonly timeoutMs?: number;
  /** Ends the waiting after so long; the command goes on, and so does its time limit. Default: no limit. */
  readonly waitMs?: number;
  readonly maxTokens?: number;
  /** What it reads in place of the terminal; null: nothing. */
  readonly stdin?: string | null;
  /** Stops the waiting, never the command. */
  readonly signal?: AbortSignal;
  /** How a shell is started, where there is none yet. */
  readonly fresh?: Pick<StartRequest, "cwd" | "env" | "shell" | "login">;
}

/** What a command gave back, or how far it has got. The session is the shell's. */
export interface RunAnswer extends SessionName, RunResult {
  /** The shell was started for this command. */
  readonly isNew: boolean;
  /** How the former shell of this name ended, where this call had to start another one in its place. */
  readonly formerExit: Exit | null;
  /** The start files had to be left out of a shell that this call started, for with them it did not get ready. */
  readonly isWithoutStartFiles: boolean;
}

/** What a screen shows, and what it showed when the same caller last looked. */
export interface ScreenAnswer extends SessionName {
  readonly snapshot: Snapshot;
  /** What the program has asked of its terminal up to there. */
  readonly modes: TerminalModes & DrawingModes;
  /** Null where this caller has not looked before. */
  readonly before: Snapshot | null;
}

export interface ScreenRequest extends SnapshotOptions {
  readonly caller: string;
}

/** Options of a wait, and of the snapshot at its end. */
export interface ScreenWaitRequest extends ScreenWaitOptions, ScreenRequest {}

export interface ScreenWaitAnswer extends ScreenAnswer {
  /** Why the wait ended. */
  readonly reason: ScreenWaitResult["reason"];
}

export interface SessionService {
  start(request: StartRequest): Promise<StartedSession>;
  /** Types text, or sends bytes as they are. Resolves when the terminal has taken it. `SESSION_HELD` for an agent while a person holds it. */
  write(key: SessionKey, input: string | Uint8Array, options?: WriteOptions): Promise<void>;
  /** Closes the stdin of a program without a terminal, after all that was written before. `SESSION_HELD` as with `write`. */
  endInput(key: SessionKey, options?: WriteOptions): Promise<void>;
  /** Runs a command in a shell that stays, and waits for its end or until it asks for something. */
  run(request: RunRequest): Promise<RunAnswer>;
  /** Presses keys, pastes or clicks, encoded for the modes that the program has set. Otherwise like `write`. */
  press(key: SessionKey, strokes: readonly Stroke[], options?: WriteOptions): Promise<void>;
  /** What a person in front of the terminal would see. */
  screen(key: SessionKey, request: ScreenRequest): Promise<ScreenAnswer>;
  /** The same, as soon as it shows something, stays as it is, or the program has ended. */
  waitForScreen(key: SessionKey, request: ScreenWaitRequest): Promise<ScreenWaitAnswer>;
  /** How many bytes others have typed since this caller last asked. */
  typedByOthers(key: SessionKey, caller: string): Promise<number>;
  /** From now on only people can type. Holding again changes the reason. */
  hold(key: SessionKey, hold: Hold): Promise<void>;
  /** False where nobody held it. */
  release(key: SessionKey): Promise<boolean>;
  /** The first of them that has something to tell. */
  wait(request: WaitRequest): Promise<WaitAnswer>;
  /**
   * What is new for this caller; it counts as read from then on. Where the sessions live in a host it counts for the client that
   * asked; the next client with this caller's name gets it again unless it was confirmed.
   */
  unread(key: SessionKey, request: UnreadRequest): Promise<SessionReading>;
  /** This caller has what it was given up to `cursor`, the `next` of a reading, for good. Never goes back. */
  confirm(key: SessionKey, confirmation: Confirmation): Promise<void>;
  /** This caller never got what it was given there, `from` to `next` of a reading: it is unread again. */
  giveBack(key: SessionKey, given: GivenBack): Promise<void>;
  /** This caller does not want what came before now. */
  skipUnread(key: SessionKey, caller: string): Promise<void>;
  text(key: SessionKey, options: TextOptions): Promise<SessionReading>;
  head(key: SessionKey, lines: number, options: TextOptions): Promise<SessionReading>;
  tail(key: SessionKey, lines: number, options: TextOptions): Promise<SessionReading>;
  grep(key: SessionKey, pattern: string, options: SearchOptions): Promise<GrepResult>;
  /**
   * All output from a cursor on, as it comes, until no more can follow. Whoever falls behind is told in `dropped` what is lost;
   * nobody is held up by it. No touch: it keeps no session from expiring.
   */
  output(key: SessionKey, options: OutputOptions): AsyncIterable<Page>;
  /** Costs next to nothing; `state` looks at the program too, which takes a few milliseconds. */
  identify(key: SessionKey): Promise<SessionIdentity>;
  state(key: SessionKey): Promise<SessionState>;
  /** Those whose program lives, in the order of their start. Costs next to nothing. */
  running(): Promise<readonly SessionName[]>;
  /** Those whose program has ended and left something running. */
  leftovers(): Promise<readonly SessionLeftovers[]>;
  /** Those that run, left something running or were lost; with `ended` the others too. */
  list(options: { readonly ended: boolean }): Promise<readonly SessionSummary[]>;
  resize(key: SessionKey, size: TerminalSize): Promise<void>;
  /** Until the session ends or the recording is stopped. The file is the host's: give its full path. */
  record(key: SessionKey, options: RecordOptions): Promise<RecordingState>;
  /** One recording by its file, or all of the session. */
  stopRecording(key: SessionKey, options: { readonly file?: string }): Promise<readonly RecordingState[]>;
  close(key: SessionKey, options: { readonly force: boolean }): Promise<EndReport>;
}
