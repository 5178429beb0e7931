import { DEFAULT_SIZE, MAX_COLS, MAX_ROWS } from "../../base/limits.ts";
import { startSession } from "../../service/simple-turns.ts";
import type { Command } from "../args/command.ts";
import { jsonArg } from "../args/common-args.ts";
import { programArgs, programOf } from "../args/program-args.ts";
import { isOn, textOf, wholeOf } from "../args/read-args.ts";
import { print, printJson } from "../print/print.ts";
import { PERSON, withHost } from "../with-host.ts";

export const start: Command = {
  name: "start",
  description: "Start a program in a new session and print the session's id.",
  args: {
    ...programArgs,
    name: {
      type: "string",
      short: "n",
      hint: "NAME",
      description: "A name for the session, to use in place of its id",
    },
    reuse: { type: "boolean", description: "If a session with that name is running, use it" },
    cols: { type: "string", hint: "N", description: `Width of the terminal. Default: ${DEFAULT_SIZE.cols}` },
    rows: { type: "string", hint: "N", description: `Height of the terminal. Default: ${DEFAULT_SIZE.rows}` },
    "answer-queries": {
      type: "boolean",
      description: "Answer terminal queries, for programs that wait for replies; answers are typed as input",
    },
    ...jsonArg(),
  },
  examples: [
    "limpet start --name dev npm run dev",
    "limpet start 'make 2>&1 | tee build.log'",
    "id=$(limpet start python3 -q)",
  ],
  run: (args) =>
    withHost(async (sessions) => {
      const cols = wholeOf(args, "cols", { min: 1, max: MAX_COLS });
      const rows = wholeOf(args, "rows", { min: 1, max: MAX_ROWS });
      const started = await startSession(
        sessions,
        {
          ...programOf(args),
          name: textOf(args, "name"),
          reuse: isOn(args, "reuse"),
          size: { cols: cols ?? DEFAULT_SIZE.cols, rows: rows ?? DEFAULT_SIZE.rows },
          answerQueries: isOn(args, "answer-queries"),
        },
        PERSON,
      );
      if (isOn(args, "json")) printJson(started);
      else print(String(started.id));
    }),
};
