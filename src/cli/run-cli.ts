/** Finds the command that was asked for, refuses what it does not know, and runs it. */
import { LimpetError } from "../base/limpet-error.ts";
import { nearestWords } from "../base/nearest-words.ts";
import { packageVersion } from "../base/package-version.ts";
import { type ArgsDef, type Command, defineCommand, renderUsage, runCommand } from "./args/command.ts";
import { plainWords, sortWords, surplusWord } from "./args/words.ts";
import { exitCodeOf, OK, USAGE } from "./exit-codes.ts";
import { overview } from "./help/overview.ts";
import { print, printError } from "./print/print.ts";

/** Loaded when they are asked for: a server need not know how clients are set up. */
export type CommandTable = Readonly<Record<string, () => Promise<Command>>>;

interface Asked {
  readonly name: string;
  readonly words: readonly string[];
}

/** Resolves with the exit code. */
export async function runCli(commands: CommandTable, words: readonly string[]): Promise<number> {
  const [name = "", ...rest] = words;
  if (name === "--version" || name === "-v") return say(packageVersion());
  const isHelp = name === "--help" || name === "-h" || name === "help";
  if (isHelp && rest[0] === undefined) return say(overview());
  const asked = isHelp ? (rest[0] ?? "") : name;
  const load = Object.hasOwn(commands, asked) ? commands[asked] : undefined;
  if (!load) return refuse(commands, asked);
  const command = await load();
  return isHelp || asksForHelp(command, rest) ? say(await usageOf(command)) : await run(command, { name, words: rest });
}

function refuse(commands: CommandTable, name: string): number {
  const known = Object.keys(commands);
  const [meant] = nearestWords(name, known);
  if (name === "") printError(overview());
  else if (meant) printError(`No command ${JSON.stringify(name)}. Did you mean: limpet ${meant}?`);
  else printError(`No command ${JSON.stringify(name)}. Give one of: ${known.join(", ")}; limpet --help says more.`);
  return USAGE;
}

/** A program that is to be run may have a --help of its own. */
function asksForHelp({ takesProgram }: Command, words: readonly string[]): boolean {
  const end = takesProgram ? words.findIndex((word) => !word.startsWith("-") || word === "--") : words.indexOf("--");
  const own = end === -1 ? words : words.slice(0, end);
  return own.includes("--help") || own.includes("-h");
}

async function run(command: Command, { name, words }: Asked): Promise<number> {
  const args = (command.args ?? {}) as ArgsDef;
  const sorted = sortWords(words, args, { takesProgram: command.takesProgram });
  if ("problem" in sorted) {
    printError(`limpet ${name} ${sorted.problem}. See limpet ${name} --help.`);
    return USAGE;
  }
  const surplus = command.takesProgram || command.takesWords ? undefined : surplusWord(sorted, args);
  if (surplus !== undefined) {
    printError(`limpet ${name} has no use for ${JSON.stringify(surplus)}. See limpet ${name} --help.`);
    return USAGE;
  }
  try {
    const { result } = await runCommand(command, { rawArgs: plainWords(sorted), data: sorted });
    return typeof result === "number" ? result : OK;
  } catch (error) {
    if (error instanceof LimpetError) {
      printError(`${error.code}: ${error.message}`);
      return exitCodeOf(error);
    }
    // The library's own word for an argument that is missing.
    if (!(error instanceof Error) || error.name !== "CLIError") throw error;
    printError(`limpet ${name}: ${error.message}. See limpet ${name} --help.`);
    return USAGE;
  }
}

async function usageOf(command: Command): Promise<string> {
  const shown = { ...command, args: argsForHelp(command) };
  const rendered = await renderUsage(shown, defineCommand({ meta: { name: "limpet" } }));
  const usage = rendered.replace(/ +$/gm, "");
  const { examples = [] } = command;
  if (examples.length === 0) return usage;
  return [usage.trimEnd(), "", "EXAMPLES", "", ...examples.map((example) => `  ${example}`), ""].join("\n");
}

/** Words by what stands for them, such as `ID…`: the library would show its own name for them, too. */
function argsForHelp({ args, ownFlags = [], takesProgram }: Command): ArgsDef {
  const shown = Object.entries((args ?? {}) as ArgsDef).filter(([name]) => !ownFlags.includes(name));
  return Object.fromEntries(
    shown.map(([name, { valueHint, ...arg }]) =>
      arg.type === "positional" && valueHint !== undefined
        ? // A program to run is asked for by the command itself, in better words than the library's.
          [valueHint, { ...arg, required: takesProgram ?? arg.required }]
        : [name, { ...arg, valueHint }],
    ),
  ) as ArgsDef;
}

function say(text: string): number {
  print(text);
  return OK;
}
