/** What a turn starts: a program in a new session, or a command in a persistent shell. */
import type { SandboxRequest } from "../../base/sandbox-request.ts";
import type { GivenLimits } from "../../base/session-limits.ts";
import type { TerminalSize } from "../../base/terminal-size.ts";
import type { StartFiles } from "../../shell/dialects/dialect.ts";
import type { SessionKey } from "../listing/session-name.ts";

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
  /** Copy its output to the store of a fleet, or do not. Default: as its host is set up. Ignored without a fleet. */
  readonly copy?: boolean | undefined;
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
  /** The sandbox that the shell must have: a new one starts in it, and one that runs elsewhere refuses. */
  readonly sandbox?: SandboxRequest | "off" | undefined;
  /** How to start the shell if it does not run yet. */
  readonly fresh?: FreshShell | undefined;
}

/** How to start a shell that does not run yet. */
interface FreshShell extends Pick<StartRequest, "cwd" | "env" | "limits" | "sandbox" | "secretEnv" | "shell"> {
  /** Which of the user's files it reads first. Default "rc". */
  readonly startFiles?: StartFiles | undefined;
  /** Where it starts without `cwd`, unless it replaces a shell and continues in the directory of that one. */
  readonly defaultCwd?: string | undefined;
}
