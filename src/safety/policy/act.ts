/** What an agent is about to do, as far as a policy judges it. Plain data. */

type Variables = Readonly<Record<string, string>>;

/** One line for a shell. */
export interface CommandAct {
  readonly kind: "command";
  readonly command: string;
  /** The name or path of the shell that runs it. */
  readonly shell: string;
  readonly cwd: string;
  /** Only the variables that the caller adds, not the whole environment. */
  readonly env: Variables;
  /** The shell ran other commands before, so aliases and functions may exist. */
  readonly isShared: boolean;
  /** Aliases and functions that agents defined in this shell; `any` if that cannot be known. */
  readonly definedNames: readonly string[] | "any";
}

/** A program with its arguments; no shell sees them. */
export interface ProgramAct {
  readonly kind: "program";
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Only the variables that the caller adds. */
  readonly env: Variables;
}

/** Text that is typed into a running program. */
export interface InputAct {
  readonly kind: "input";
  /** The name or path of the program. */
  readonly program: string;
  readonly text: string;
}

export type Act = CommandAct | ProgramAct | InputAct;
