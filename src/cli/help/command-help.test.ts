import { expect, test } from "vitest";
import type { Command } from "../args/command.ts";
import { parseArgs } from "../args/parse-args.ts";
import { commands } from "../commands.ts";
import { commandHelp } from "./command-help.ts";

async function load(name: string): Promise<Command> {
  return await (commands[name] as () => Promise<Command>)();
}

test.each(Object.keys(commands))("the help of %s has examples, and --help asks for it", async (name) => {
  const command = await load(name);

  expect(commandHelp(command)).toMatch(new RegExp(`EXAMPLES\\s+.*limpet ${name}`));
  expect(parseArgs(["--help"], command.args ?? {})).toEqual({ kind: "help" });
});

test.each([
  { name: "kill", usage: "limpet kill [OPTIONS] [ID…]" },
  { name: "wait", usage: "limpet wait [OPTIONS] [ID…]" },
  { name: "run", usage: "limpet run [OPTIONS] <CMD…>" },
])("the help of $name says which words it takes, and which it cannot do without", async ({ name, usage }) => {
  const help = commandHelp(await load(name));

  expect(help).toContain(`USAGE ${usage}\n`);
  expect(help).not.toMatch(/=<\w+…>| $/m);
});
