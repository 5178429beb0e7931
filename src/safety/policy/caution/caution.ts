/** Built-in cautions: what a command can do besides running the programs that its rules name. */

/** Each with what it says to a person; `docs/safety.md` has the same list. */
export const CAUTIONS = {
  parse: "limpet cannot parse this part",
  dialect: "this shell reads it differently from bash",
  characters: "it contains invisible or look-alike characters",
  "computed-command": "the name of the program is computed when the command runs",
  "computed-option": "an argument is computed and may be an option that runs commands or writes files",
  variable: "it sets a variable that can change how programs run",
  arithmetic: "arithmetic on variables runs commands that are hidden in their values",
  history: "an interactive shell replaces ! by an earlier command",
  defined: "a function or an alias with this name may have been defined before",
  function: "it defines a function, which can replace a program",
  shell: "it changes how the shell runs later commands",
  wrapper: "it runs another program",
  interpreter: "it runs code that limpet cannot judge",
  option: "one of its options runs commands",
  hooks: "git runs hooks or other programs of the repository",
  remote: "it runs commands elsewhere",
  write: "it writes to a file",
  later: "it writes to a file that runs code later, such as a git hook",
  network: "it connects to the network through the shell",
  limpet: "it controls limpet itself",
} as const;

export type CautionName = keyof typeof CAUTIONS;

export interface Caution {
  readonly name: CautionName;
  /** The part of the command that it is about. */
  readonly part: string;
  /**
   * An allow rule whose prefix has at least so many words names what the caution is about, and lifts it. Undefined:
   * only `accept` lifts it.
   */
  readonly namedBy?: number;
  /** The variable that it is about, which a policy can list in `env`. */
  readonly variable?: string;
}

export function isCautionName(name: string): name is CautionName {
  return Object.hasOwn(CAUTIONS, name);
}
