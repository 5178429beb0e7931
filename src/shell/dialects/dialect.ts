/** How one kind of shell is started, and what is typed into it to run a command. */

/** What is to be typed. All texts are bytes, one character each. */
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

/** Names variables of ours that nobody else can know: new for each command, and unset after it. */
export function variableNames(nonce: string): (suffix: string) => string {
  return (suffix) => `l${nonce.slice(0, 12)}${suffix}`;
}

/**
 * Runs steps of ours without any output. It needs a brace; if somebody has an alias for one, it does without. So does a
 * question, which may be the first after the alias was made, and whose output is dropped anyway.
 */
export function quiet(steps: string, { command }: Pick<FrameRequest, "command">, isBraceAlias: boolean): string {
  return isBraceAlias || command === undefined ? steps : `{ ${steps};} >/dev/null 2>&1`;
}

/** For `printf` in any shell. Never the bytes themselves, which the shell might show. */
export function startFormat(nonce: string): string {
  return `\\033]6973;s;${nonce}\\007`;
}

/** Takes status, flags and directory. */
export function endFormat(nonce: string): string {
  return `\\033]6973;e;${nonce};%s;%s;%s;${nonce}\\007\\n`;
}
