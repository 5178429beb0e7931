/** Checks that a directory exists in a container, before a command is started in it. */
import { BoundedMap } from "../../base/bounded-map.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import { type Container, execArgv } from "../../transport/container/container.ts";
import { runTool, type ToolResult } from "../../transport/container/run-tool.ts";

/** More directories than an agent uses at a time. */
const MAX_KNOWN = 64;

/** Prints what is wrong with the directory in its argument, or "fine". */
const SCRIPT = [
  'if [ ! -e "$1" ]; then echo does not exist',
  'elif [ ! -d "$1" ]; then echo is a file, not a directory',
  'elif [ ! -x "$1" ]; then echo cannot be entered',
  "else echo fine; fi",
].join("\n");
const PROBLEMS = ["does not exist", "is a file, not a directory", "cannot be entered"] as const;

type Ask = (argv: readonly string[]) => Promise<ToolResult>;

/**
 * A check takes the engine a tenth of a second, so a directory that existed is not checked again. If it has been
 * deleted since, the shell reports that and does not run the command. If the engine does not answer, the check passes.
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
