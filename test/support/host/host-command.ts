/** The command that starts a host for a test, and no longer once the test is over. */
import { MAIN } from "../mcp.ts";

type Command = readonly [program: string, ...args: string[]];

/** What still asks after the test must not start a host in a directory that is gone. */
export function hostCommand(nodeFlags: readonly string[] = []): { readonly command: Command; end(): void } {
  const words: Command = [process.execPath, ...nodeFlags, MAIN];
  let isOver = false;
  const command = {
    *[Symbol.iterator]() {
      if (isOver) throw new Error("The test is over, so no host is started.");
      yield* words;
    },
  };
  return {
    command: command as unknown as Command,
    end: () => {
      isOver = true;
    },
  };
}
