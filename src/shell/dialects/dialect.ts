/** How one kind of shell is started, and what is typed to run a command in it. */

/** What is to be typed. All texts are bytes, one character each. */
export interface FrameRequest {
  readonly nonce: string;
  /** Undefined: nothing is run, only the state told. */
  readonly command: string | undefined;
  /** What the last end mark said. */
  readonly flags: string;
  /** The exit code of the last command, for `$?`. */
  readonly status: number;
  /** Redirections of the command's input and output; paths of ours, without any special character. */
  readonly redirects: string;
}

export interface Dialect {
  /** What shells of this kind are called. */
  readonly names: readonly string[];
  args(options: { readonly login: boolean }): readonly string[];
  /** Pieces that may be broken between any two. */
  frame(request: FrameRequest, promptNonce: string): readonly string[];
  /** Whether something of the user's runs before each prompt, and may print. */
  hasHooks(flags: string): boolean;
  /** Whether anything was ever started in the background; some of it may still run, and print. */
  hasHadJobs(flags: string): boolean;
  /** The shell edits lines itself unless echo is off when it begins to read. */
  readonly editsLines: boolean;
  /** What it says while it waits for a command, and nobody wants to know. */
  readonly noise?: string;
}

/** A variable of ours that nobody else can know of: new for each command, and gone after it. */
export function variableNames(nonce: string): (suffix: string) => string {
  return (suffix) => `l${nonce.slice(0, 12)}${suffix}`;
}

/**
 * Steps of ours, of which nothing is seen. Where somebody has an alias for a brace, which the shell then takes for it, they go
 * without one; so does a question, which may be the first after the alias, and whose noise is dropped anyway.
 */
export function quiet(steps: string, { command }: Pick<FrameRequest, "command">, isBraceAlias: boolean): string {
  return isBraceAlias || command === undefined ? steps : `{ ${steps};} >/dev/null 2>&1`;
}

/** In a `printf` of any shell. Never the bytes themselves, which the shell might show. */
export function startFormat(nonce: string): string {
  return `\\033]6973;s;${nonce}\\007`;
}

/** Takes status, flags and directory. */
export function endFormat(nonce: string): string {
  return `\\033]6973;e;${nonce};%s;%s;%s;${nonce}\\007\\n`;
}
