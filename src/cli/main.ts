#!/usr/bin/env node
import { commands } from "./commands.ts";
import { expectClosedPipes, printError } from "./print.ts";
import { runCli } from "./run.ts";

try {
  expectClosedPipes();
  process.exit(await runCli(commands, process.argv.slice(2)));
} catch (error) {
  printError(`limpet broke: ${error instanceof Error ? error.stack : String(error)}`);
  process.exit(1);
}
