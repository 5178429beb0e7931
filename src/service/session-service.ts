/**
 * All that can be asked of sessions, as plain requests and plain answers. `LocalService` implements it over a registry in this
 * process, `HostClient` over a connection to a host. A tool cannot tell which of them it has.
 */
import type { Cursor, Page } from "../base/cursor.ts";
import type { Exit } from "../base/exit.ts";
import type { TerminalSize } from "../base/terminal-size.ts";
import type { JournalHealth } from "../journal/disk-journal.ts";
import type { OutputOptions } from "../journal/follow-output.ts";
import type { Stroke } from "../keys/encode-strokes.ts";
import type { EndReport } from "../linux/kill-process-tree.ts";
import type { ListeningPort } from "../linux/list-listening.ts";
import type { RecordingState } from "../record/record-session.ts";
import type { RecordOptions } from "../record/record-source.ts";
import type { RunningProcess } from "../transport/probe.ts";
import type { Receipt, TurnAnswer, TurnRequest } from "./turn.ts";

/** An id, or a name. */
export type SessionKey = number | string;

/** What a session is called. */
export interface SessionName {
  readonly id: number;
  readonly name: string | null;
}

/** Which session it is, and whether its program has ended. */
export interface SessionIdentity extends SessionName {
  readonly exit: Exit | null;
  /** The host that ran it died before the program did. Its output is readable; how it ended is not known. */
  readonly lost: boolean;
  /** Whether all its output is on disk too; null if that was not asked for. */
  readonly journal: JournalHealth | null;
  /** limpet closed it because nobody had used it for this long; null otherwise. */
  readonly closedAfterIdleMs: number | null;
  /** Of its terminal; null without one. */
  readonly size: TerminalSize | null;
  /** All that it has ever printed: also the cursor of the end. */
  readonly outputBytes: Cursor;
  /** A person keeps agents from typing; null if nobody does. */
  readonly held: Hold | null;
}

/** A person keeps agents from typing. */
export interface Hold {
  /** In the person's words. */
  readonly reason: string | null;
}

/** Who types. */
export interface WriteOptions {
  /** Counted under this name. Default: nobody in particular. */
  readonly caller?: string;
  /** A person may type into a session that is held. Default `agent`. */
  readonly by?: "agent" | "person";
}

/** What is typed: text, bytes, or keys, pastes and clicks. Null closes the stdin of a program without a terminal. */
export type SessionInput = string | Uint8Array | readonly Stroke[] | null;

/** How a session is doing. */
export interface SessionState extends SessionIdentity {
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
  /** Since a caller last used it. */
  readonly idleMs: number;
  /** The last line that is not blank, clean and short. */
  readonly lastLine: string;
  readonly recordings: readonly RecordingState[];
}

/** An answer that a caller has received. */
export interface ReceiptOf {
  readonly caller: string;
  readonly receipt: Receipt;
}

/** An answer that a caller has not received: by its receipt, or by its request if it never arrived. */
export type Undelivered = ReceiptOf | { readonly caller: string; readonly requestId: string };

/** A session that was closed, and what still runs. */
export interface ClosedSession extends SessionName {
  readonly report: EndReport;
  readonly running: readonly SessionName[];
}

/** A session that was resized, and what runs. */
export interface ResizedSession extends SessionName {
  readonly running: readonly SessionName[];
}

/** Everything that can be asked of sessions, in this process or in a host. */
export interface SessionService {
  /** Carries out one turn. Rejects with the signal's reason if it is aborted; then nothing counts as read. */
  turn(request: TurnRequest): Promise<TurnAnswer>;
  /** The answer with this receipt has been delivered: its output is not given again. Nobody waits for this call. */
  acknowledge(delivered: ReceiptOf): void;
  /**
   * The answer was not delivered: its output is unread again, before any later turn reads. Ends the wait of a request that is not
   * answered yet. Calling it again for the same request changes nothing.
   */
  giveBack(undelivered: Undelivered): void;
  /** Types without an answer. Resolves when the terminal has taken it. `SESSION_HELD` for an agent while a person holds it. */
  write(key: SessionKey, input: SessionInput, options?: WriteOptions): Promise<void>;
  /**
   * All output from a cursor on, as it comes, until no more can follow. A reader that falls behind finds what it lost in `dropped`;
   * it holds up nobody. Does not count as use of the session.
   */
  output(key: SessionKey, options: OutputOptions): AsyncIterable<Page>;
  /** Costs next to nothing. */
  find(key: SessionKey): Promise<SessionIdentity>;
  /** Sessions whose program lives, in the order of their start. Costs next to nothing. */
  running(): Promise<readonly SessionName[]>;
  /** Sessions that run, left something running or were lost; with `ended` the others too. */
  list(options: { readonly ended: boolean }): Promise<readonly SessionSummary[]>;
  /** From now on only people can type. Holding again changes the reason. */
  hold(key: SessionKey, hold: Hold): Promise<void>;
  /** False if nobody held it. */
  release(key: SessionKey): Promise<boolean>;
  resize(key: SessionKey, size: TerminalSize): Promise<ResizedSession>;
  /** Until the session ends or the recording is stopped. The file is the owner's: pass its full path. */
  record(key: SessionKey, options: RecordOptions): Promise<RecordingState>;
  /** Stops one recording by its file, or all of the session. */
  stopRecording(key: SessionKey, options: { readonly file?: string }): Promise<readonly RecordingState[]>;
  close(key: SessionKey, options: { readonly force: boolean }): Promise<ClosedSession>;
}
