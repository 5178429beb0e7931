/** A command with the steps that a shell takes before it, as one command: directory and variables. Pure. */
import { LimpetError } from "../base/limpet-error.ts";
import { quoteLine } from "../text/clean/quote-line.ts";

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** What a shell does before a command. As if somebody had typed it, the effect lasts after the command. */
export interface CommandPrefix {
  /** Changes to this directory. If that fails, the command does not run. */
  readonly cwd?: string | undefined;
  /** Sets and exports these variables. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** Throws `BAD_OPTION` for a variable that no shell can set. */
export function prefixCommand(command: string, { cwd, env = {} }: CommandPrefix): string {
  const steps = [
    ...(cwd === undefined ? [] : [`\\cd -- ${quoted(cwd)}`]),
    ...Object.entries(env).map(([name, value]) => `\\export ${requireVariable(name)}=${quoted(value)}`),
  ];
  // The command may be anything that a shell reads, such as several lines, a comment or half a loop.
  return steps.length === 0 ? command : [...steps, `\\eval ${quoted(command)}`].join(" && ");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function requireVariable(name: string): string {
  if (VARIABLE.test(name)) return name;
  throw new LimpetError(
    "BAD_OPTION",
    `env has ${quoteLine(name)}, which is not the name of a variable in a shell. Use letters, digits and _.`,
  );
}
