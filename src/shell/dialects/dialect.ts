/** How to start one kind of shell, and what to type into it to run a command. */

/** What to type. All texts are bytes, one character each. */
export interface FrameRequest {
  readonly nonce: string;
  /** Undefined: nothing is run, and the shell only reports its state. */
  readonly command: string | undefined;
  /** From the last end mark. */
  readonly flags: string;
  /** The exit code of the last command, for `$?`. */
  readonly status: number;
  /** Redirections of the command's input and output. Their paths are ours and contain no special character. */
  readonly redirects: string;
}

export interface Dialect {
  /** The program names of this kind of shell. */
  readonly names: readonly string[];
  args(options: { readonly login: boolean }): readonly string[];
  /** Pieces of one line; the line may be broken between any two. */
  frame(request: FrameRequest, promptNonce: string): readonly string[];
  /** Whether hooks of the user run before each prompt, and may print. */
  hasHooks(flags: string): boolean;
  /** Whether anything was ever started in the background: it may still run, and print. */
  hasHadJobs(flags: string): boolean;
  /** The shell edits lines itself unless echo is off when it begins to read. */
  readonly editsLines: boolean;
  /** What it prints by itself while it waits for a command. It is dropped. */
  readonly noise?: string;
}

/** Names for our variables that no other program can know: new for each command, and unset after it. */
export function variableNames(nonce: string): (suffix: string) => string {
  return (suffix) => `l${nonce.slice(0, 12)}${suffix}`;
}

/**
 * Runs our steps without output. That needs a brace, so it is skipped if the user has an alias for one. It is also
 * skipped for a query, which may be the first line after the alias was defined, and whose output is dropped anyway.
 */
export function quiet(steps: string, { command }: Pick<FrameRequest, "command">, isBraceAlias: boolean): string {
  return isBraceAlias || command === undefined ? steps : `{ ${steps};} >/dev/null 2>&1`;
}

/**
 * A format for `printf` in any shell. Never contains the control bytes themselves, because the shell might echo them.
 */
export function startFormat(nonce: string): string {
  return `\\033]6973;s;${nonce}\\007`;
}

/** A `printf` format for status, flags and directory. */
export function endFormat(nonce: string): string {
  return `\\033]6973;e;${nonce};%s;%s;%s;${nonce}\\007\\n`;
}
