import { z } from "zod";
import { describeExit } from "../base/exit.ts";
import { parseSecretEnv } from "../safety/secrets/parse-secret-env.ts";
import { keyOf } from "../service/listing/session-key.ts";
import type { SessionName } from "../service/listing/session-name.ts";
import type { CommandAnswer, FormerShell } from "../service/turn/turn-answer.ts";
import { quoteLine } from "../text/clean/quote-line.ts";
import { looksLikeShell } from "../transport/env/child-env.ts";
import { ACTS } from "./annotations.ts";
import { describeRun, type RunResult } from "./answer/describe-run.ts";
import { describeAutoClose, describeSurroundings, OUT_OF_MEMORY } from "./answer/describe-surroundings.ts";
import { fields, flag, number, outcomeFields, tagField, text, textOrNull } from "./answer/output-schema.ts";
import { newReadTag, showShortTag } from "./answer/tags.ts";
import { takeTurn } from "./answer/take-turn.ts";
import {
  columns,
  directory,
  foldLines,
  integer,
  outputTokens,
  sandboxFiles,
  sandboxOf,
  sessionKey,
  withDefault,
} from "./args/params.ts";
import { defineTool } from "./define-tool.ts";
import type { Tool } from "./tool.ts";

const DEFAULT_SHELL = "default";
const MAX_TIMEOUT_MS = 86_400_000;

export const run: Tool = defineTool({
  name: "run",
  description:
    "Run a command in a persistent shell, which keeps directory, variables and functions. Returns exit code and output. " +
    "If the command asks for input, answer with write_stdin.",
  annotations: { title: "Run in a persistent shell", ...ACTS },
  isStarter: true,
  params: () => ({
    command: z.string().min(1, "pass a command"),
    shell: sessionKey().default(DEFAULT_SHELL).describe("a shell's name or id, not a program; a new name starts one"),
    timeout_ms: withDefault(integer(1, MAX_TIMEOUT_MS), 120_000, "then interrupts it"),
    max_output_tokens: outputTokens(),
    fold: foldLines().describe("false: every repeated line"),
    stdin: z.string().nullable().optional().describe("instead of the terminal; null: none"),
    workdir: directory().optional().describe("cd there and stay"),
    env: z.record(z.string(), z.string()).optional().describe("exported and kept"),
    // As in exec_command, for a shell that this call starts.
    secret_env: z.array(z.string()).optional(),
    sandbox: sandboxFiles(),
    cols: columns().optional(),
  }),
  // After a command that waits for input, the session is what a model has at hand.
  synonyms: { session_id: "shell", session: "shell", id: "shell" },
  outputSchema: fields(
    {
      ...outcomeFields,
      shell: textOrNull,
      cwd: textOrNull,
      duration_ms: number,
      timed_out: flag,
      background_output: text,
      shell_ended: flag,
    },
    tagField,
  ),
  async run(args, context) {
    const { longestWaitMs } = context;
    const readTag = newReadTag();
    const turn = await takeTurn(context, {
      on: {
        kind: "run",
        run: {
          command: args.command,
          shell: args.shell,
          timeoutMs: args.timeout_ms,
          maxTokens: args.max_output_tokens,
          tag: readTag,
          fold: args.fold,
          ...(args.stdin === undefined ? {} : { stdin: args.stdin }),
          ...(args.workdir === undefined ? {} : { cwd: args.workdir }),
          ...(args.env === undefined ? {} : { env: args.env }),
          ...(args.sandbox === undefined ? {} : { sandbox: sandboxOf(args.sandbox) }),
          ...(args.secret_env === undefined ? {} : { fresh: { secretEnv: parseSecretEnv(args.secret_env) } }),
          ...(args.cols === undefined ? {} : { cols: args.cols }),
          ...(longestWaitMs === undefined ? {} : { waitMs: longestWaitMs }),
        },
      },
    });
    const { session, command } = turn as typeof turn & { readonly command: CommandAnswer };
    const { output, background, tag, hasMarks } = showShortTag(readTag, command.output, command.backgroundOutput);
    const shown = { ...command, output, backgroundOutput: background };
    const result = { ...onTheWire(session, shown), ...(hasMarks ? { tag } : {}) };
    const { notes, others } = describeSurroundings(turn);
    return {
      text: describeRun(result, {
        tag,
        cutFrom: command.cut?.from ?? command.from,
        hidden: command.hiddenLines > 0 ? { lines: command.hiddenLines, from: command.from } : null,
        notes: [...notesOn(session, command), ...notes],
        others,
        isDirectoryKnown: command.isDirectoryKnown,
      }),
      structured: { ...result },
    };
  },
});

function onTheWire(session: SessionName, answer: CommandAnswer): RunResult {
  return {
    session_id: keyOf(session),
    shell: session.name,
    running: answer.isRunning,
    exit_code: answer.exitCode,
    signal: answer.signal,
    output: answer.output,
    truncated: answer.truncated,
    original_token_count: answer.originalTokenCount,
    cwd: answer.isRunning || answer.shellExit ? null : answer.cwd,
    duration_ms: Math.round(answer.durationMs * 1000) / 1000,
    timed_out: answer.timedOut,
    waiting_for: answer.waitingFor,
    background_output: answer.backgroundOutput,
    shell_ended: answer.shellExit !== null,
    cursor: answer.to,
    dropped_bytes: answer.droppedBytes,
  };
}

function notesOn(session: SessionName, answer: CommandAnswer): string[] {
  const { name } = session;
  const { shellExit, former, isRunning, timedOut } = answer;
  const isSilent = isRunning && answer.waitingFor === null;
  return [
    ...(answer.isNew && looksLikeShell(name ?? "")
      ? [`Started a new shell named ${quoteLine(name ?? "")}; omit shell to use the default one`]
      : []),
    ...(former ? [describeFormer(former)] : []),
    ...(answer.isWithoutStartFiles
      ? ["Started without your start files: the shell did not become ready with them"]
      : []),
    ...(answer.outOfMemory ? [OUT_OF_MEMORY] : []),
    ...(timedOut ? ["Timed out: the command was ended"] : []),
    ...(shellExit ? [`The shell ${describeExit(shellExit)}; the next command starts a new one`] : []),
    ...(isSilent ? [`Continue with wait_for(session_ids=[${JSON.stringify(keyOf(session))}])`] : []),
  ];
}

function describeFormer({ exit, closed, isSameDirectory }: FormerShell): string {
  const what = isSameDirectory ? "New shell in the same directory" : "New shell";
  const lost = isSameDirectory ? "its variables, functions and jobs are lost" : "its state is lost";
  return `${what}: the previous one ${closed === null ? describeExit(exit) : `was closed because ${describeAutoClose(closed)}`}; ${lost}`;
}
