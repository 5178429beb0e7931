/** The program to run: one word is a command line for the shell, several are a program and its arguments. */
import { resolve } from "node:path";
import type { StartRequest } from "../../service/turn.ts";
import type { ArgSpecs, Args } from "./command.ts";
import { listOf, textOf } from "./read-args.ts";

/** What `run` and `start` have in common. */
export const programArgs: ArgSpecs = {
  command: {
    type: "program",
    hint: "CMD…",
    description: "A command line in quotes, or a program and its arguments",
  },
  cwd: { type: "string", short: "C", hint: "DIR", description: "Working directory. Default: the current one" },
};

export function programOf(args: Args): Pick<StartRequest, "command" | "cwd"> {
  const cwd = textOf(args, "cwd");
  return { command: commandLine(listOf(args, "command")), cwd: cwd === undefined ? undefined : resolve(cwd) };
}

/** Pure. */
function commandLine(words: readonly string[]): string {
  return words.length === 1 ? (words[0] ?? "") : words.map(quote).join(" ");
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
