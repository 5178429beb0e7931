/** The session of the library: the same in this process and in a host. */
import type { Cursor, Page } from "../base/cursor.ts";
import type { Exit } from "../base/exit.ts";
import type { TerminalSize } from "../base/terminal-size.ts";
import type { EndReport } from "../linux/processes/kill-process-tree.ts";
import type { RecordingState } from "../record/record-session.ts";
import type { RecordOptions } from "../record/record-source.ts";
import type { Snapshot } from "../screen/snapshot.ts";
import type { SessionState } from "../service/listing/session-state.ts";
import type { SearchOptions, TextOptions } from "../session/read/read-digest.ts";
import type { WaitResult } from "../session/wait/decide-wait.ts";
import type { GrepResult } from "../text/search/grep.ts";

/** How long a call may take. */
export interface TimeOptions {
  /** The longest wait of this call. Default 10,000. After it, the result has the reason `deadline`. */
  readonly timeoutMs?: number;
  /** Stops the wait, never the program. The call rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** What ends a wait, besides the end of the program and the time limit. */
export interface WaitOptions extends TimeOptions {
  /** Ends the wait when this pattern occurs in the clean text that was not returned yet. A string is a pattern too. */
  readonly until?: string | RegExp;
  /** Ends the wait when the program waits for input. Default true, unless `until`, `quietMs` or `port` is given. */
  readonly onInput?: boolean;
  /** Ends the wait when nothing was printed for this long. */
  readonly quietMs?: number;
  /** Ends the wait when a process of the session listens on this TCP port, or on any port. */
  readonly port?: number | "any";
}

/** When to return, and whether to include the echo. */
export interface SendOptions extends WaitOptions {
  /** Keep the echo of the input at the beginning of `text`. Default false. */
  readonly echo?: boolean;
}

/** What a program printed since the last reply, and why the wait ended. */
export interface Reply {
  /** Clean text that no earlier reply had; after a match, up to the end of the match. */
  readonly text: string;
  readonly reason: WaitResult["reason"];
  /** What the program waits for now; null for nothing. */
  readonly waitingFor: SessionState["waitingFor"];
  /** How the program ended; null while it runs. */
  readonly exit: Exit | null;
  /** What `until` matched, with its named groups and its numbered ones from `captures[0]` on; null without a match. */
  readonly match: Match | null;
  /** The port that ended the wait; null otherwise. */
  readonly port: number | null;
  /** Bytes that came too fast and are not in `text`; 0 for none. */
  readonly droppedBytes: number;
}

/** What a pattern matched. */
export interface Match {
  readonly text: string;
  readonly groups: Readonly<Record<string, string>>;
  readonly captures: readonly (string | null)[];
}

/** What to return of the screen, and when. */
export interface ScreenOptions extends TimeOptions {
  /** Wait until the screen shows this pattern. */
  readonly until?: string | RegExp;
  /** Wait until the screen has not changed for this long. */
  readonly stableMs?: number;
  /** Lines above the screen, 0 to 5,000. Default 0. */
  readonly scrollback?: number;
  /** Return attributes and colours of each cell too, which pictures need. Default false. */
  readonly cells?: boolean;
}

/** What a person in front of the terminal would see. */
export interface ScreenImage extends Snapshot {
  /** The rows as text, with marks around highlighted parts. `limpet/screen` has other forms. */
  readonly text: string;
  /** Why the wait ended; null if the call did not wait. */
  readonly reason: "matched" | "stable" | "exited" | "deadline" | null;
}

/** A program in a terminal. The same interface for a session in this process and in a host. */
export interface Session {
  readonly id: number;
  readonly name: string | null;
  /**
   * Types text and waits for the reply: until the program waits for input again or ends. The first call waits until the
   * program is ready for input. What was printed before that is not in the reply, but in `text`.
   */
  send(text: string, options?: SendOptions): Promise<Reply>;
  /**
   * Presses keys by name, such as `"Up"`, `"Ctrl+C"` or `"Click(3,10)"`, one after the other, and waits like `send`.
   */
  press(keys: string | readonly string[], options?: SendOptions): Promise<Reply>;
  /** Pastes text as a terminal would, and waits like `send`. */
  paste(text: string, options?: SendOptions): Promise<Reply>;
  /** Types text or bytes and does not wait for a reply. Null closes the stdin of a program without a terminal. */
  write(input: string | Uint8Array | null): Promise<void>;
  /** Waits, and returns what is new. */
  wait(options?: WaitOptions): Promise<Reply>;
  /** Waits for the end of the program, however long it takes. */
  exited(options?: { readonly signal?: AbortSignal }): Promise<Exit>;
  /** All that the program printed, as clean text. Reading it changes no later reply. */
  text(options?: TextOptions): Promise<string>;
  /** Clean lines as they come, each as it was when it ended, from the first one on, until no more can follow. */
  lines(options?: { readonly signal?: AbortSignal }): AsyncIterable<string>;
  /** Bytes as they come, from a cursor on, until no more can follow. */
  output(options?: { readonly from?: Cursor; readonly signal?: AbortSignal }): AsyncIterable<Page>;
  /** Lines that match, with their numbers. */
  search(pattern: string, options?: SearchOptions): Promise<GrepResult>;
  screen(options?: ScreenOptions): Promise<ScreenImage>;
  status(): Promise<SessionState>;
  resize(size: TerminalSize): Promise<void>;
  /** Records to an asciicast file until the session ends or the recording is stopped. */
  record(options: RecordOptions): Promise<RecordingState>;
  /** Stops one recording by its file, or all. */
  stopRecording(options?: { readonly file?: string }): Promise<readonly RecordingState[]>;
  /**
   * Ends everything that the session started, reports what that was, and forgets its output. Closing twice is harmless.
   */
  close(options?: { readonly force?: boolean }): Promise<EndReport>;
  [Symbol.asyncDispose](): Promise<void>;
}
