/** The program that a command line names: one word is a line for the shell, several are a program and its arguments. */
import { resolve } from "node:path";
import { LimpetError } from "../base/limpet-error.ts";
import type { StartRequest } from "../service/turn.ts";
import type { ArgsDef } from "./command.ts";
import { type Flags, textOf } from "./flags.ts";
import type { Words } from "./words.ts";

/** What `run` and `start` have in common. */
export const programArgs: ArgsDef = {
  command: {
    type: "positional",
    required: false,
    valueHint: "CMD…",
    description: "One line for the shell, or a program and its arguments",
  },
  cwd: { type: "string", alias: "C", valueHint: "DIR", description: "Where it starts. Default: here" },
};

export function programOf(flags: Flags, { others }: Words): Pick<StartRequest, "command" | "cwd"> {
  if (others.length === 0)
    throw new LimpetError("BAD_OPTION", "No command is given. Say what to run, as in: limpet run ls");
  const cwd = textOf(flags, "cwd");
  return { command: commandLine(others), cwd: cwd === undefined ? undefined : resolve(cwd) };
}

/** Pure. */
function commandLine(words: readonly string[]): string {
  return words.length === 1 ? (words[0] ?? "") : words.map(quote).join(" ");
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
