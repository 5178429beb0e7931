/** Finds the command, parses its arguments and runs it. */
import { LimpetError } from "../base/limpet-error.ts";
import { packageVersion } from "../base/package-version.ts";
import { nearestWords } from "../text/search/nearest-words.ts";
import type { Args, Command } from "./args/command.ts";
import { parseArgs } from "./args/parse-args.ts";
import { exitCodeOf, OK, USAGE } from "./exit-codes.ts";
import { print, printError } from "./print/print.ts";

/** Each command is loaded only when it runs. */
export type CommandTable = Readonly<Record<string, () => Promise<Command>>>;

/** Resolves with the exit code. */
export async function runCli(commands: CommandTable, words: readonly string[]): Promise<number> {
  const [name = "", ...rest] = words;
  if (name === "--version" || name === "-v" || name === "version") return say(packageVersion());
  const isHelp = name === "--help" || name === "-h" || name === "help";
  if (isHelp && rest[0] === undefined) return say(await overview());
  const asked = isHelp ? (rest[0] ?? "") : name;
  const load = Object.hasOwn(commands, asked) ? commands[asked] : undefined;
  if (!load) return await refuse(commands, asked);
  try {
    return await runCommand(await load(), { name, rest, isHelp });
  } catch (error) {
    // Also of a command that cannot be loaded, because the binding is missing.
    if (!(error instanceof LimpetError)) throw error;
    printError(`${error.code}: ${error.message}`);
    return exitCodeOf(error);
  }
}

interface Asked {
  readonly name: string;
  readonly rest: readonly string[];
  readonly isHelp: boolean;
}

async function runCommand(command: Command, { name, rest, isHelp }: Asked): Promise<number> {
  if (isHelp) return say(await helpOf(command));
  const parsed = parseArgs(rest, command.args ?? {});
  switch (parsed.kind) {
    case "help":
      return say(await helpOf(command));
    case "problem":
      printError(`limpet ${name} ${parsed.problem} See limpet ${name} --help.`);
      return USAGE;
    case "args":
      return await run(command, parsed.args);
  }
}

async function refuse(commands: CommandTable, name: string): Promise<number> {
  const known = Object.keys(commands);
  const [meant] = nearestWords(name, known);
  if (name === "") printError(await overview());
  else if (meant) printError(`Unknown command ${JSON.stringify(name)}. Did you mean: limpet ${meant}?`);
  else printError(`Unknown command ${JSON.stringify(name)}. Use one of: ${known.join(", ")}. See limpet --help.`);
  return USAGE;
}

/** Help is loaded only for those who ask for it. */
async function overview(): Promise<string> {
  return (await import("./help/overview.ts")).overview();
}

async function helpOf(command: Command): Promise<string> {
  return (await import("./help/command-help.ts")).commandHelp(command);
}

async function run(command: Command, args: Args): Promise<number> {
  const code = await command.run(args);
  return typeof code === "number" ? code : OK;
}

function say(text: string): number {
  print(text);
  return OK;
}
