/** Finds the command that was asked for, refuses flags that it does not know, and runs it. */
import { ShellError } from "../base/errors.ts";
import { packageVersion } from "../base/version.ts";
import { type ArgsDef, type CommandDef, defineCommand, renderUsage, runCommand } from "./command.ts";
import { print, printError } from "./print.ts";

/** Loaded when they are asked for: a server need not know how clients are set up. */
export type CommandTable = Readonly<Record<string, () => Promise<CommandDef>>>;

const USAGE_ERROR = 2;

/** Resolves with the exit code. */
export async function runCli(commands: CommandTable, words: readonly string[]): Promise<number> {
  const main = defineCommand({
    meta: { name: "limpet", description: "Real terminals for AI agents." },
    subCommands: { ...commands },
  });
  const [name = "", ...rest] = words;
  if (name === "--version" || name === "-v") return say(packageVersion());
  if (name === "--help" || name === "-h" || name === "help") return say(await renderUsage(main));
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!load) {
    const what = name === "" ? "No command given" : `No command ${JSON.stringify(name)}`;
    printError(`${what}. Give one of: ${Object.keys(commands).join(", ")}; limpet --help says more.`);
    return USAGE_ERROR;
  }
  const command = await load();
  if (rest.includes("--help") || rest.includes("-h")) return say(await renderUsage(command, main));
  return await run(command, { name, words: rest });
}

async function run(command: CommandDef, { name, words }: { readonly name: string; readonly words: readonly string[] }) {
  const flags = Object.keys((command.args ?? {}) as ArgsDef);
  const unknown = words.find((word) => word.startsWith("-") && !flags.includes(flagName(word)));
  if (unknown !== undefined) {
    printError(`limpet ${name} has no flag ${flagName(unknown)}. See limpet ${name} --help.`);
    return USAGE_ERROR;
  }
  try {
    const { result } = await runCommand(command, { rawArgs: [...words] });
    return typeof result === "number" ? result : 0;
  } catch (error) {
    if (!(error instanceof ShellError)) throw error;
    printError(`${error.code}: ${error.message}`);
    return 1;
  }
}

/** `--no-x` turns `x` off. */
function flagName(word: string): string {
  return word.replace(/^--?(no-)?/, "").replace(/=.*/s, "");
}

function say(text: string): number {
  print(text);
  return 0;
}
