#!/usr/bin/env node
import { printError } from "./print.ts";
import { type CommandTable, runCli } from "./run.ts";

const commands: CommandTable = {
  mcp: async () => (await import("./commands/mcp.ts")).mcp,
  host: async () => (await import("./commands/host.ts")).host,
  setup: async () => (await import("./commands/setup.ts")).setup,
  doctor: async () => (await import("./commands/doctor.ts")).doctor,
};

try {
  process.exit(await runCli(commands, process.argv.slice(2)));
} catch (error) {
  printError(`limpet broke: ${error instanceof Error ? error.stack : String(error)}`);
  process.exit(1);
}
