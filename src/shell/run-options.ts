/** How to run a command in a shell, and how to wait for it. */
import type { TimeOptions } from "./call-deadline.ts";

/** How to run a command. */
export interface RunOptions extends FollowOptions {
  /** What the command reads instead of the terminal; null for empty input. Default: the terminal. */
  readonly stdin?: string | Uint8Array | null;
  /** Report stdout and stderr separately. The command's stderr is then not a terminal. Default false. */
  readonly splitStderr?: boolean;
  /** Called when the command was typed: from then on it runs, whatever happens to this call. */
  readonly onStarted?: () => void;
  /**
   * While another command runs: wait until it ends (default), or reject with `SHELL_BUSY`. If that command waits for
   * input, the call always rejects.
   */
  readonly onBusy?: "wait" | "refuse";
}

/** How long to wait for a command, and what to return of it. */
export interface FollowOptions extends TimeOptions {
  /** The budget of the texts in the result. Default 10,000. */
  readonly maxOutputTokens?: number;
  /** Show repeated lines once, with a count. Default false. */
  readonly fold?: boolean;
  /** Placed before each mark that limpet writes into these texts, so that a command cannot imitate one. */
  readonly tag?: string;
  /**
   * Called with each piece of output as it arrives, as uncleaned text. Each piece is passed once, even across several
   * calls for the same command.
   */
  readonly onOutput?: (text: string) => void;
  /** Stops the wait, never the command. */
  readonly signal?: AbortSignal;
}
