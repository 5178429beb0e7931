/** What can be asked of a session besides a turn: signal, restart, resize, close. */
import type { TerminalSize } from "../../base/terminal-size.ts";
import type { EndReport, FirstSignal } from "../../linux/processes/kill-process-tree.ts";
import type { SessionName } from "../listing/session-name.ts";

/** A signal such as `SIGINT`, and which processes get it. Default `foreground`. */
export interface SignalRequest {
  readonly signal: NodeJS.Signals;
  readonly to?: "foreground" | "program" | "tree" | undefined;
}

/** How to start the program again. */
export interface RestartOptions {
  /**
   * The environment of a program that has ended; a running program passes on its own. Default: that of a new session.
   */
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

/** A session that was resized, and the sessions that run, without idle shells. */
export interface ResizedSession extends SessionName {
  readonly running: readonly SessionName[];
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

/** A session that was closed, and the sessions that still run, without idle shells. */
export interface ClosedSession extends SessionName {
  readonly report: EndReport;
  readonly running: readonly SessionName[];
  /** Which files its sandbox restored, one line each. */
  readonly sandboxNotes: readonly string[];
}
