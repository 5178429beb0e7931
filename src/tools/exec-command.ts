import { z } from "zod";
import { DEFAULT_SIZE } from "../base/limits.ts";
import { LimpetError } from "../base/limpet-error.ts";
import { parseLimitWords } from "../base/session-limits.ts";
import { parseSecretEnv } from "../safety/secrets/parse-secret-env.ts";
import { ACTS } from "./annotations.ts";
import { callResult, untilLine } from "./answer/call-result.ts";
import { describeResult, describeSession } from "./answer/describe-result.ts";
import { callFields, fields, flag, optionalCallFields } from "./answer/output-schema.ts";
import { newReadTag } from "./answer/tags.ts";
import { takeTurn } from "./answer/take-turn.ts";
import {
  columns,
  directory,
  foldLines,
  outputTokens,
  requirePattern,
  rows,
  sandboxFiles,
  sandboxOf,
  sessionName,
  waitMs,
} from "./args/params.ts";
import { defineTool } from "./define-tool.ts";
import type { Tool } from "./tool.ts";

export const execCommand: Tool = defineTool({
  name: "exec_command",
  description:
    "Run a shell command in its own terminal. Returns when it exits, waits for input, or after yield_time_ms; " +
    "a running program stays alive: continue with write_stdin or wait_for.",
  annotations: { title: "Run a command", ...ACTS },
  isStarter: true,
  params: () => ({
    cmd: z.string().min(1, "pass a command"),
    yield_time_ms: waitMs(10_000),
    max_output_tokens: outputTokens(),
    fold: foldLines(),
    shell: z.string().optional(),
    login: z.boolean().default(false),
    workdir: directory().optional(),
    tty: z.boolean().default(true).describe("false: pipes"),
    env: z.record(z.string(), z.string()).optional(),
    secret_env: z.array(z.string()).optional().describe("SECRET or VARIABLE=SECRET"),
    name: sessionName().optional(),
    reuse: z.boolean().default(false).describe("use the running session of that name"),
    cols: columns().default(DEFAULT_SIZE.cols),
    rows: rows().default(DEFAULT_SIZE.rows),
    sandbox: sandboxFiles(),
    limits: z.array(z.string()).optional().describe("memory=1G"),
    until: z.string().optional().describe("regex: return when output matches"),
    // Not described: an answer says when to use it.
    answer_queries: z.boolean().optional(),
  }),
  outputSchema: fields({ ...callFields, reused: flag }, optionalCallFields),
  async run(args, context) {
    if (args.until !== undefined) await requirePattern(args.until);
    if (args.reuse && args.name === undefined) {
      throw new LimpetError("BAD_OPTION", "reuse is true, but name is missing. Pass the name of the session to use.");
    }
    const start = {
      command: args.cmd,
      shell: args.shell,
      login: args.login,
      cwd: args.workdir,
      env: args.env,
      ...(args.secret_env === undefined ? {} : { secretEnv: parseSecretEnv(args.secret_env) }),
      tty: args.tty,
      size: { cols: args.cols, rows: args.rows },
      name: args.name,
      reuse: args.reuse,
      answerQueries: args.answer_queries,
      sandbox: sandboxOf(args.sandbox),
      ...(args.limits === undefined ? {} : { limits: parseLimitWords(args.limits) }),
    };
    const tag = newReadTag();
    const turn = await takeTurn(context, {
      on: { kind: "start", start },
      wait: {
        kind: "output",
        deadlineMs: args.yield_time_ms,
        ...(args.until === undefined ? {} : { until: args.until }),
      },
      read: { kind: "unread", maxTokens: args.max_output_tokens, fold: args.fold, tag },
    });
    const { result, remarks } = callResult(turn, { readTag: tag, deadlineLine: untilLine(args.until) });
    const { isReused } = turn;
    const reused = isReused ? [`Reused the running session ${describeSession(turn.session)}; cmd was not run`] : [];
    const text = describeResult(result, { ...remarks, notes: [...reused, ...remarks.notes] });
    return { text, structured: { ...result, reused: isReused } };
  },
});
