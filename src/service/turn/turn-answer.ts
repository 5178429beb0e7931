/** The answer to a turn: the session, its output and the other sessions at one instant. */

import type { Exit } from "../../base/exit.ts";
import type { DrawingModes, TerminalModes } from "../../base/terminal-modes.ts";
import type { TerminalSize } from "../../base/terminal-size.ts";
import type { Snapshot } from "../../screen/snapshot.ts";
import type { ScreenWaitResult } from "../../screen/wait-for-screen.ts";
import type { SessionReading } from "../../session/read/read-digest.ts";
import type { WaitResult } from "../../session/wait/decide-wait.ts";
import type { RunResult } from "../../shell/run-result.ts";
import type { GrepResult } from "../../text/search/grep.ts";
import type { KeyEffect } from "../input/pipe-acts.ts";
import type { SessionName } from "../listing/session-name.ts";
import type { AutoClose, SessionState } from "../listing/session-state.ts";
import type { SessionLeftovers } from "../listing/session-summary.ts";
import type { SilentPlace } from "../listing/silent-place.ts";
import type { PromptHelp } from "../secrets/prompt.ts";
import type { Receipt } from "./receipt.ts";

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

/** The result of a command, and facts about its shell. */
export interface CommandAnswer extends RunResult {
  /** The shell was started for this command. */
  readonly isNew: boolean;
  /** The previous shell of this name, if this call had to replace it. */
  readonly former: FormerShell | null;
  /** The shell was started without its start files, because with them it did not become ready. */
  readonly isWithoutStartFiles: boolean;
  /** The shell is in the directory where it started, and its last result, for the same caller, was from there too. */
  readonly isDirectoryKnown: boolean;
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
  /** What a person wrote on releasing the session, unless this caller knows it. Default: nothing. */
  readonly note?: string | undefined;
  /** What the sandbox of the session refused, and which files it restored, since the last report; one line each. */
  readonly sandboxNotes: readonly string[];
  /** How the password prompt of the session can be answered; null if it does not wait for a password. */
  readonly prompt: PromptHelp | null;
  /** Places that were used and do not answer: sessions may run there, too. Default: none. */
  readonly silent?: readonly SilentPlace[] | undefined;
}
