import type { Command } from "../args/command.ts";
import { atArg, jsonArg } from "../args/common-args.ts";
import { programArgs, programOf } from "../args/program-args.ts";
import { durationOf, isOn, textOf } from "../args/read-args.ts";
import { runAttached, runForJson, runForPipe } from "../run/run-program.ts";
import { withStarts } from "../with-host.ts";

export const run: Command = {
  name: "run",
  description: "Run a program in a session and wait until it ends. Exits with the program's exit code.",
  args: {
    ...programArgs,
    name: {
      type: "string",
      short: "n",
      hint: "NAME",
      description: "A name for the session, to use in place of its id",
    },
    timeout: {
      type: "string",
      short: "t",
      hint: "TIME",
      description: "End the program after this long and exit with 124. Detaching removes the limit",
    },
    ...jsonArg("one object at the end, with the output as clean text"),
    ...atArg,
  },
  examples: [
    "limpet run make test",
    "limpet run --json 'npm ci && npm test' | jq .exitCode",
    "limpet run --timeout 2m ./flaky.sh",
  ],
  run: (args) =>
    withStarts(args, async (sessions) => {
      const request = {
        ...programOf(args),
        name: textOf(args, "name"),
        timeoutMs: durationOf(args, "timeout"),
      };
      if (isOn(args, "json")) return await runForJson(sessions, request);
      const hasTerminal = process.stdin.isTTY && process.stdout.isTTY;
      return await (hasTerminal ? runAttached : runForPipe)(sessions, request);
    }),
};
