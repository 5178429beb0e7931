/** How to start one kind of shell, and how to make it run a command. */
import type { ShellPaths } from "../frame/shell-paths.ts";

/** What to run. All texts are bytes, one character each. */
export interface FrameRequest {
  readonly nonce: string;
  /** Undefined: nothing is run, and the shell only reports its state, with a nonce from the key gate. */
  readonly command: string | undefined;
  /** From the last end mark. */
  readonly flags: string;
  /** The exit code of the last command, for `$?`. */
  readonly status: number;
  /** Redirections of the command's input and output. Their paths are ours and contain no special character. */
  readonly redirects: string;
  readonly paths: ShellPaths;
}

/**
 * How a shell gets a command: the two files are written, then the line is typed. It is one line of printable ASCII and
 * far shorter than a terminal's limit, so the shell reads all of it or nothing.
 */
interface FrameText {
  readonly line: string;
  /** Read when the command starts: it reports the start, and contains the command. Empty for a query. */
  readonly command: string;
  /** Read when the command has ended: it reports the end, and waits at the gate. */
  readonly end: string;
}

/**
 * Which of the user's files a shell reads when it starts. `rc`: those of every interactive shell, such as .bashrc.
 * `login`: also those of a login, such as .profile, which often replace PATH and hide an active virtual environment.
 */
export type StartFiles = "none" | "rc" | "login";

export interface Dialect {
  /** What a shell that waits at the key gate reads there. */
  key(nonce: string): string;
  /** The program names of this kind of shell. */
  readonly names: readonly string[];
  args(options: { readonly startFiles: StartFiles }): readonly string[];
  frame(request: FrameRequest, promptNonce: string): FrameText;
  /** Whether hooks of the user run before each prompt, and may print. */
  hasHooks(flags: string): boolean;
  /** Whether anything was ever started in the background: it may still run, and print. */
  hasHadJobs(flags: string): boolean;
  /**
   * The shell edits lines itself unless echo is off when it starts to read. It also waits at the gate after the start
   * mark, until echo is on again.
   */
  readonly editsLines: boolean;
  /** The shell reads a line byte by byte: an interrupt may find it in the middle of one. */
  readonly readsBytes?: true;
  /**
   * Ctrl+C makes the shell jump out of whatever it does, also out of its C library. It may leave a lock locked, for
   * which it waits forever afterwards.
   */
  readonly leavesLocks?: true;
  /** What the shell prints by itself while it waits for a command. limpet drops it. */
  readonly noise?: string;
}

/**
 * The exit code of the last command. It stays set until the next command starts, so that a report that was lost can be
 * repeated.
 */
export const STATUS = "_limpet_s";
/** Set when the command starts, unset with the report of its end. */
export const RAN = "_limpet_r";
export const KEEP_STATUS: string = `${STATUS}=\${${STATUS}-$?}`;

/**
 * Runs our steps without output. That needs a brace, so it is skipped if the user has an alias for one. It is also
 * skipped for a query, which may be the first line after the alias was defined, and whose output is dropped anyway.
 */
export function quiet(steps: string, { command }: Pick<FrameRequest, "command">, isBraceAlias: boolean): string {
  return isBraceAlias || command === undefined ? steps : `{ ${steps};} >/dev/null 2>&1`;
}

/** The nonce of the answer to a query, as read at the key gate. */
export const KEY = "_limpet_k";

/** A format for `printf` in any shell. */
export function startFormat(nonce: string): string {
  return `\\033]6973;s;${nonce}\\007\\n`;
}

/** A `printf` format for the nonce, status, `RAN`, flags and directory. */
export function endFormat(nonce: string): string {
  return `\\033]6973;e;%s;%s;%s;%s;%s;${nonce}\\007\\n`;
}
