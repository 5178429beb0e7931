import { MAX_COLS, MAX_ROWS } from "../../base/limits.ts";
import { startSession } from "../../service/simple-turns.ts";
import type { Command } from "../command.ts";
import { isOn, textOf, wholeOf } from "../flags.ts";
import { print, printJson } from "../print.ts";
import { programArgs, programOf } from "../program.ts";
import { jsonArg } from "../session-arg.ts";
import { withHost } from "../with-host.ts";
import type { Words } from "../words.ts";

export const start: Command = {
  meta: { name: "start", description: "Start a program in a session of its own, and print the session's id." },
  args: {
    ...programArgs,
    name: { type: "string", alias: "n", valueHint: "NAME", description: "A name, which works wherever an id does" },
    reuse: { type: "boolean", description: "If a session of that name runs, take it" },
    cols: { type: "string", valueHint: "N", description: "Width of the terminal. Default: 80" },
    rows: { type: "string", valueHint: "N", description: "Height of the terminal. Default: 24" },
    "answer-queries": {
      type: "boolean",
      description: "Answer what it asks its terminal, for programs that wait for that; the answers are typed into it",
    },
    ...jsonArg(),
  },
  takesProgram: true,
  examples: [
    "limpet start --name dev npm run dev",
    "limpet start 'make 2>&1 | tee build.log'",
    "id=$(limpet start python3 -q)",
  ],
  run: ({ args, data }) =>
    withHost(async (sessions) => {
      const cols = wholeOf(args, "cols", { min: 1, max: MAX_COLS });
      const rows = wholeOf(args, "rows", { min: 1, max: MAX_ROWS });
      const started = await startSession(sessions, {
        ...programOf(args, data as Words),
        name: textOf(args, "name"),
        reuse: isOn(args, "reuse"),
        size: { cols: cols ?? 80, rows: rows ?? 24 },
        answerQueries: isOn(args, "answer-queries"),
      });
      if (isOn(args, "json")) printJson(started);
      else print(String(started.id));
    }),
};
