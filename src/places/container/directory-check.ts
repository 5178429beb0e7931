/** Asks a container whether a command can run in a directory, before anything is started for it. */
import { BoundedMap } from "../../base/bounded-map.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import { type Container, execArgv } from "../../transport/container/container.ts";
import { runTool, type ToolResult } from "../../transport/container/run-tool.ts";

/** An agent works in few directories at a time. */
const MAX_KNOWN = 64;

/** Prints what is wrong with its argument, or "fine". */
const SCRIPT = [
  'if [ ! -e "$1" ]; then echo does not exist',
  'elif [ ! -d "$1" ]; then echo is a file, not a directory',
  'elif [ ! -x "$1" ]; then echo cannot be entered',
  "else echo fine; fi",
].join("\n");
const PROBLEMS = ["does not exist", "is a file, not a directory", "cannot be entered"] as const;

type Ask = (argv: readonly string[]) => Promise<ToolResult>;

/**
 * To ask takes an engine a tenth of a second, so a directory that was there is not asked for again: if it has gone
 * since, the shell reports it, and does not run the command. An engine that does not answer refuses nothing.
 */
export function directoryCheck(container: Container, ask: Ask = runTool): (path: string) => Promise<void> {
  const known = new BoundedMap<string, true>(MAX_KNOWN);
  return async (path) => {
    if (known.get(path)) return;
    const { stdout } = await ask(execArgv(container, ["/bin/sh", "-c", SCRIPT, "sh", path]));
    const problem = PROBLEMS.find((each) => stdout === `${each}\n`);
    if (problem !== undefined) {
      throw new LimpetError(
        "DIRECTORY_NOT_FOUND",
        `The working directory "${path}" ${problem}. Create it, or pass another one.`,
      );
    }
    if (stdout === "fine\n") known.set(path, true);
  };
}
