/** What a shell would run, as plain data: every simple command in a line, wherever it is nested. */

/** One word as it is written, and what is known about the fields that it expands to. */
export interface ShellWord {
  readonly text: string;
  /** Its value, if it always expands to exactly this one field. */
  readonly literal: string | undefined;
  /** What every field that it expands to begins with; empty if that is not known. */
  readonly start: string;
  /** Whether its value can become several fields. */
  readonly canSplit: boolean;
}

export interface ShellAssignment {
  readonly name: string;
  readonly text: string;
  /** Undefined if it is computed, or a list. */
  readonly value: string | undefined;
}

export interface ShellRedirection {
  /** `>`, `<<`, `&>` and so on. */
  readonly operator: string;
  readonly text: string;
  /** The file or descriptor; of a here-document or here-string, its content. */
  readonly target: ShellWord;
}

/** Where a command is. */
export type ShellPlace =
  | "background"
  | "condition"
  | "coproc"
  | "function"
  | "loop"
  | "negation"
  | "pipeline"
  | "process substitution"
  | "subshell"
  | "substitution"
  | "time";

export interface SimpleCommand {
  readonly text: string;
  /** Empty if there are only assignments or redirections. */
  readonly words: readonly ShellWord[];
  readonly assignments: readonly ShellAssignment[];
  readonly redirections: readonly ShellRedirection[];
  /** From the outside in. */
  readonly places: readonly ShellPlace[];
}

/** Something in a line that is not a command, and that a policy must know. */
export interface ShellNote {
  readonly kind: "error" | "arithmetic" | "function" | "bash-only" | "variable";
  readonly text: string;
}

export interface ParsedShell {
  readonly commands: readonly SimpleCommand[];
  readonly notes: readonly ShellNote[];
}

/** A word that is exactly this text. */
export function literalWord(text: string): ShellWord {
  return { text, literal: text, start: text, canSplit: false };
}

/** A command of literal words, such as the arguments of a program that no shell sees. */
export function literalCommand(words: readonly string[]): SimpleCommand {
  return { text: words.join(" "), words: words.map(literalWord), assignments: [], redirections: [], places: [] };
}
