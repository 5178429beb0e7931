import type { Command } from "../args/command.ts";
import { jsonArg } from "../args/common-args.ts";
import { programArgs, programOf } from "../args/program-args.ts";
import { isOn, secondsOf, textOf } from "../args/read-args.ts";
import type { Words } from "../args/words.ts";
import { runAttached, runForJson, runForPipe } from "../run/run-program.ts";
import { withHost } from "../with-host.ts";

export const run: Command = {
  meta: {
    name: "run",
    description: "Run a program in a session and wait for its end. Exits with the code of the program.",
  },
  args: {
    ...programArgs,
    name: { type: "string", alias: "n", valueHint: "NAME", description: "A name, which works wherever an id does" },
    timeout: {
      type: "string",
      alias: "t",
      valueHint: "SECONDS",
      description: "End it after this long; then exit code 124. Detaching lifts the limit",
    },
    ...jsonArg("one object at the end, with the output as clean text"),
  },
  takesProgram: true,
  examples: [
    "limpet run make test",
    "limpet run --json 'npm ci && npm test' | jq .exitCode",
    "limpet run --timeout 60 ./flaky.sh",
  ],
  run: ({ args, data }) =>
    withHost(async (sessions) => {
      const request = {
        ...programOf(args, data as Words),
        name: textOf(args, "name"),
        timeoutMs: secondsOf(args, "timeout"),
      };
      if (isOn(args, "json")) return await runForJson(sessions, request);
      const hasTerminal = process.stdin.isTTY && process.stdout.isTTY;
      return await (hasTerminal ? runAttached : runForPipe)(sessions, request);
    }),
};
