/**
 * The turn: one request to a session and its consistent answer.
 *
 * The process that owns the session runs these steps in order: start or find the session, type, wait, read. The answer
 * describes the session, its output and the other sessions at one instant. `requestId` makes a request safe to repeat:
 * the owner acts once and returns the same answer again.
 */
import type { Cursor } from "../../base/cursor.ts";
import type { Exit } from "../../base/exit.ts";
import type { SandboxRequest } from "../../base/sandbox-request.ts";
import type { GivenLimits, SessionLimits } from "../../base/session-limits.ts";
import type { DrawingModes, TerminalModes } from "../../base/terminal-modes.ts";
import type { TerminalSize } from "../../base/terminal-size.ts";
import type { Stroke } from "../../keys/encode-stroke.ts";
import type { Snapshot } from "../../screen/snapshot.ts";
import type { SnapshotOptions } from "../../screen/take-snapshot.ts";
import type { ScreenWaitOptions, ScreenWaitResult } from "../../screen/wait-for-screen.ts";
import type { NewTextOptions } from "../../session/read/output-reader.ts";
import type { SearchOptions, SessionReading, TextOptions } from "../../session/read/read-digest.ts";
import type { WaitResult } from "../../session/wait/decide-wait.ts";
import type { WaitOptions } from "../../session/wait/wait-for.ts";
import type { StartFiles } from "../../shell/dialects/dialect.ts";
import type { RunResult } from "../../shell/run-result.ts";
import type { GrepResult } from "../../text/search/grep.ts";
import type { ReportedEvents } from "../events/reported-events.ts";
import type { KeyEffect } from "../pipe-acts.ts";
import type {
  AutoClose,
  SessionKey,
  SessionLeftovers,
  SessionName,
  SessionState,
  SilentPlace,
} from "../session-service.ts";
import type { TurnVerdict } from "./turn-verdict.ts";

/** A program to start in a new session. */
export interface StartRequest {
  /** One line for a shell. Either this, or `program`. */
  readonly command?: string | undefined;
  /** A name to look up in PATH, or a path. */
  readonly program?: string | undefined;
  /** Passed to `program` as they are; no shell sees them. */
  readonly args?: readonly string[] | undefined;
  /** Default: the user's own shell if it is a known one, else /bin/bash. */
  readonly shell?: string | undefined;
  readonly login?: boolean | undefined;
  readonly cwd?: string | undefined;
  /** Added to the default environment. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly tty?: boolean | undefined;
  readonly size?: TerminalSize | undefined;
  readonly name?: string | undefined;
  /** Use the running session with that name, if there is one. */
  readonly reuse?: boolean | undefined;
  /**
   * Answer terminal queries of the program, with fixed forms and positions only. Answers are typed into it. Default:
   * only if it is a program other than a shell that reads in raw mode and has asked last.
   */
  readonly answerQueries?: boolean | undefined;
  /**
   * End the program some time after the last client that used it has gone, whether or not it works: for tools that
   * cannot close a session. Default false.
   */
  readonly endsWhenLeft?: boolean | undefined;
  /** Restricts the program and everything it starts. Default: the limit of the turn, else none. */
  readonly sandbox?: SandboxRequest | "off" | undefined;
  /** How much the program and everything it starts may use. Default: the limits of the turn, else none. */
  readonly limits?: GivenLimits | undefined;
  /** Variables that get the value of a secret: the name of the variable, and that of the secret. */
  readonly secretEnv?: Readonly<Record<string, string>> | undefined;
}

/** One command for a persistent shell. */
export interface RunRequest {
  readonly command: string;
  /** The id or name of a shell. A name without a running shell starts a new one. */
  readonly shell: SessionKey;
  /** Ends the command after this time. Default: no limit. */
  readonly timeoutMs?: number | undefined;
  /** Ends the wait after this time; the command and its time limit continue. Default: no limit. */
  readonly waitMs?: number | undefined;
  readonly maxTokens?: number | undefined;
  /** Show repeated lines once, with a count. Default false. */
  readonly fold?: boolean | undefined;
  /** Placed before each mark that limpet writes into the output; see `TextOptions`. Default: no tag. */
  readonly tag?: string | undefined;
  /** The input of the command instead of the terminal; null: no input. */
  readonly stdin?: string | null | undefined;
  /** Changes to this directory first, as `cd` does. Relative to the directory of whoever asks. */
  readonly cwd?: string | undefined;
  /** Sets and exports these variables first; they stay set. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Gives the shell's terminal this many columns first. */
  readonly cols?: number | undefined;
  /** How to start the shell if it does not run yet. */
  readonly fresh?: FreshShell | undefined;
}

/** How to start a shell that does not run yet. */
interface FreshShell extends Pick<StartRequest, "cwd" | "env" | "limits" | "sandbox" | "shell"> {
  /** Which of the user's files it reads first. Default "rc". */
  readonly startFiles?: StartFiles | undefined;
  /** Where it starts without `cwd`, unless it replaces a shell and continues in the directory of that one. */
  readonly defaultCwd?: string | undefined;
}

/** The session, or the sessions, that a turn is about. */
export type TurnTarget =
  | { readonly kind: "start"; readonly start: StartRequest }
  | { readonly kind: "run"; readonly run: RunRequest }
  | { readonly kind: "session"; readonly key: SessionKey }
  /** The answer is about the first of them whose wait ends. */
  | {
      readonly kind: "several";
      readonly keys: readonly SessionKey[] | "running";
      /** There are more elsewhere: rejects with `NOTHING_TO_WAIT_FOR` if nothing new is expected of these. */
      readonly isPart?: boolean | undefined;
    };

/** What a turn types, and who types it. */
export interface TurnInput {
  readonly strokes: readonly Stroke[];
  /** The name of a secret to type at a password prompt instead, with Enter after it. */
  readonly secret?: string | undefined;
  /** A person may type into a session that is held. Default `agent`. */
  readonly by?: "agent" | "person" | undefined;
}

/** What a turn waits for: output or the screen. */
export type TurnWait =
  | ({ readonly kind: "output" } & Omit<WaitOptions, "signal">)
  | ({ readonly kind: "screen" } & Omit<ScreenWaitOptions, "signal">);

/** What a turn reads after its wait. */
export type TurnRead =
  /** What this caller has not read yet. */
  | ({
      readonly kind: "unread";
      /** After a match, read up to its end only; the rest stays unread. Default false. */
      readonly endAtMatch?: boolean | undefined;
      /**
       * Everything that was unread when the turn began, also what another turn of this caller has read since. Default
       * false: each piece of output is in one answer.
       */
      readonly whole?: boolean | undefined;
    } & NewTextOptions)
  | ({ readonly kind: "text" } & TextOptions)
  /** As much from `from` on as fits the budget, uncut; `next` is where the next page begins. */
  | ({ readonly kind: "page" } & TextOptions)
  | ({ readonly kind: "head" | "tail"; readonly lines: number } & TextOptions)
  | ({ readonly kind: "search"; readonly pattern: string } & SearchOptions)
  | ({ readonly kind: "screen" } & SnapshotOptions);

/** One request to a session: start or find it, type, wait, read. All steps but the first are optional. */
export interface TurnRequest {
  /** Who reads and types: each caller has its own position in the output of each session. */
  readonly caller: string;
  /** Unique per caller. Default: the request is not remembered. */
  readonly requestId?: string | undefined;
  readonly on: TurnTarget;
  /** Where a program or a shell starts: a place that the service spans. Default: here. */
  readonly place?: string | undefined;
  /** Marks all output so far as read by this caller before the turn types. Default false. */
  readonly skipUnread?: boolean | undefined;
  readonly input?: TurnInput | undefined;
  /** Default: no wait. */
  readonly wait?: TurnWait | undefined;
  /** Default: no output. */
  readonly read?: TurnRead | undefined;
  /** The most that the programs of this turn may do: it starts none in a wider sandbox, and types into none. */
  readonly within?: SandboxRequest | undefined;
  /** What the policy says about this turn. Default: no policy applies. */
  readonly verdict?: TurnVerdict | undefined;
  /** The most that the programs of this turn may use: it starts none with more. */
  readonly limits?: SessionLimits | undefined;
  /** The tool that the caller uses, for the audit. */
  readonly tool?: string | undefined;
  /** Only observes: does not count as use of the session and consumes no event. Default false. */
  readonly isWatch?: boolean | undefined;
  /** Ends the wait, never the program. */
  readonly signal?: AbortSignal | undefined;
}

/** The result of a command, and facts about its shell. */
export interface CommandAnswer extends RunResult {
  /** The shell was started for this command. */
  readonly isNew: boolean;
  /** The previous shell of this name, if this call had to replace it. */
  readonly former: FormerShell | null;
  /** The shell was started without its start files, because with them it did not become ready. */
  readonly isWithoutStartFiles: boolean;
}

/** A shell that ended without being asked to. Its variables, functions and jobs are lost. */
export interface FormerShell {
  readonly exit: Exit;
  /** Why limpet closed it; null if it ended by itself or with its host. */
  readonly closed: AutoClose | null;
  /** The new shell starts in the directory that it was in. */
  readonly isSameDirectory: boolean;
}

/** A screen, and the screen that the same caller read before. */
export interface ScreenView {
  readonly snapshot: Snapshot;
  readonly modes: TerminalModes & DrawingModes;
  /** Null if this caller has not read it before. */
  readonly before: Snapshot | null;
  /** Why the wait for the screen ended; null without such a wait. */
  readonly reason: ScreenWaitResult["reason"] | null;
}

/** Identifies the output of an answer, to acknowledge it or give it back. Opaque plain data. */
export interface Receipt {
  /** Of the request that was answered; null if that has none. */
  readonly requestId: string | null;
  readonly session: number;
  /** Of the session, if it is at a place. */
  readonly place?: string | undefined;
  readonly from: Cursor;
  readonly to: Cursor;
  /** How often output had been given back to this caller before. */
  readonly returns: number;
  /** How many bytes typed by others were reported to this caller before. */
  readonly typedBefore: number;
  /** How many discarded bytes of its own were reported to this caller before. */
  readonly discardsBefore: number;
  /** The size of the terminal that this caller knew before; null if it knew none. */
  readonly sizeBefore: TerminalSize | null;
  /** The events that this caller knew of before the answer, and knows of after it. */
  readonly eventsBefore: ReportedEvents;
  readonly events: ReportedEvents;
}

/**
 * The reason of an abort by a lost connection. A turn with a `requestId` continues, because the client may repeat its
 * request.
 */
export const DETACHED: unique symbol = Symbol("detached");

/** Other facts of the same instant. */
export interface Surroundings {
  /** Sessions of the project whose program runs, including the answer's own, without idle shells. */
  readonly running: readonly SessionName[];
  /** Sessions whose program has ended and left processes running. */
  readonly leftovers: readonly SessionLeftovers[];
  /** Bytes that others have typed into the session since the last report to this caller. */
  readonly typedByOthers: number;
  /** Bytes that this caller has typed and an interrupt key has discarded since the last report to it. */
  readonly discardedInput: number;
  /** The size of the terminal, if others have changed it since the last report to this caller. */
  readonly resizedTo: TerminalSize | null;
  /** What the sandbox of the session refused, and which files it put back, since the last report; one line each. */
  readonly sandboxNotes: readonly string[];
  /** How the password prompt of the session can be answered; null if it does not wait for a password. */
  readonly prompt: PromptHelp | null;
  /** Places that were used and do not answer: sessions may run there, too. Default: none. */
  readonly silent?: readonly SilentPlace[] | undefined;
}

/** How a password can be typed without being part of a request. */
export interface PromptHelp {
  /** The names of the secrets that the person has. */
  readonly secrets: readonly string[];
  /** A person can type it, with `limpet answer`. */
  readonly byPerson: boolean;
}

/** The answer to a turn. All its fields describe the same instant. */
export interface TurnAnswer {
  readonly session: SessionState;
  /** The session was running before this turn. False only for `start` and a `run` that started its shell. */
  readonly isReused: boolean;
  /** Why the wait for output ended; null without one. */
  readonly result: WaitResult | null;
  readonly output: SessionReading | null;
  readonly matches: GrepResult | null;
  readonly screen: ScreenView | null;
  readonly command: CommandAnswer | null;
  /** What keys of this turn did in a session without a terminal, where no kernel acts on them. */
  readonly keyEffects: readonly KeyEffect[];
  readonly around: Surroundings;
  /** Acknowledge it after delivery of the answer. Null if the answer contains no unread output. */
  readonly receipt: Receipt | null;
}
