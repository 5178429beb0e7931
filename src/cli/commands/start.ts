import { describeExit, type Exit } from "../../base/exit.ts";
import { DEFAULT_SIZE, MAX_COLS, MAX_ROWS } from "../../base/limits.ts";
import { keyOf } from "../../service/listing/session-key.ts";
import type { SessionKey } from "../../service/listing/session-name.ts";
import type { SessionService } from "../../service/session-service.ts";
import { readOutput, startSession, waitForSession } from "../../service/turn/simple-turns.ts";
import type { Command } from "../args/command.ts";
import { atArg, jsonArg } from "../args/common-args.ts";
import { programArgs, programOf } from "../args/program-args.ts";
import { isOn, textOf, wholeOf, wordOf } from "../args/read-args.ts";
import { exitCodeOfProgram, OK } from "../exit-codes.ts";
import { describeName } from "../print/describe-session.ts";
import { print, printError, printJson } from "../print/print.ts";
import { PERSON, withStarts } from "../with-host.ts";

export const start: Command = {
  name: "start",
  description: "Start a program in a new session and print the session's id. Exits with its code if it fails at once.",
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
    copy: {
      type: "string",
      hint: "on|off",
      description: "In a fleet: whether to copy its output to NATS. Default: as its host is set up",
    },
    ...jsonArg(),
    ...atArg,
  },
  examples: [
    "limpet start --name dev npm run dev",
    "limpet start 'make 2>&1 | tee build.log'",
    "id=$(limpet start python3 -q)",
  ],
  run: (args) =>
    withStarts(args, async (sessions) => {
      const copy = wordOf(args, "copy", ["on", "off"]);
      const cols = wholeOf(args, "cols", { min: 1, max: MAX_COLS });
      const rows = wholeOf(args, "rows", { min: 1, max: MAX_ROWS });
      const started = await startSession(
        sessions,
        {
          ...programOf(args),
          name: textOf(args, "name"),
          reuse: isOn(args, "reuse"),
          size: { cols: cols ?? DEFAULT_SIZE.cols, rows: rows ?? DEFAULT_SIZE.rows },
          copy: copy === undefined ? undefined : copy === "on",
          answerQueries: isOn(args, "answer-queries") ? true : undefined,
        },
        PERSON,
      );
      const failure = await failureAtOnce(sessions, keyOf(started));
      if (isOn(args, "json")) printJson({ ...started, ...(failure && { exit: failure.exit, output: failure.output }) });
      else print(String(keyOf(started)));
      if (!failure) return OK;
      printError(
        `${failure.output.trimEnd()}\n${describeName(started)} ${describeExit(failure.exit)} at once.`.trimStart(),
      );
      return exitCodeOfProgram(failure.exit);
    }),
};

/** A program that cannot run, such as a misspelt one, fails within this time, through a shell as well. */
const AT_ONCE_MS = 300;
const MAX_OUTPUT_TOKENS = 500;

interface Failure {
  readonly exit: Exit;
  readonly output: string;
}

/** Undefined if the program runs, waits for input or has succeeded. */
async function failureAtOnce(sessions: SessionService, key: SessionKey): Promise<Failure | undefined> {
  const { result } = await waitForSession(sessions, { keys: [key], deadlineMs: AT_ONCE_MS });
  if (result.reason !== "exited" || exitCodeOfProgram(result.exit) === OK) return undefined;
  const { text } = await readOutput(sessions, key, { kind: "text", maxTokens: MAX_OUTPUT_TOKENS });
  return { exit: result.exit, output: text };
}
