import { commands } from "./commands.ts";
import { codeAfterOutput, expectLostOutput, printError } from "./print/print.ts";
import { runCli } from "./run-cli.ts";

async function main(): Promise<number> {
  try {
    expectLostOutput();
    return await runCli(commands, process.argv.slice(2));
  } catch (error) {
    printError(`limpet failed unexpectedly: ${error instanceof Error ? error.stack : String(error)}`);
    return 1;
  }
}

// In case a command never finishes because nothing keeps the process alive.
process.exitCode = 1;
void main()
  .then(codeAfterOutput)
  .then((code) => process.exit(code));
