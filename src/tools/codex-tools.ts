/** The two tools of Codex's first streamable shell, with exactly its names, schemas, defaults and texts. */
import { z } from "zod";
import { LimpetError } from "../base/limpet-error.ts";
import type { TurnRequest } from "../service/turn.ts";
import { ACTS } from "./annotations.ts";
import { callResult } from "./answer/call-result.ts";
import { describeForCodex } from "./answer/describe-result.ts";
import { takeTurn } from "./answer/take-turn.ts";
import { wholeNumber } from "./args/params.ts";
import { turnInput } from "./args/typing.ts";
import { defineTool, type Tool } from "./define-tool.ts";

const SHELL = "/bin/bash";

function object(
  properties: Readonly<Record<string, readonly [type: string, description: string]>>,
  required: readonly string[],
) {
  const fields = Object.entries(properties).map(([name, [type, description]]) => [name, { type, description }]);
  return { type: "object", properties: Object.fromEntries(fields), required, additionalProperties: false };
}

/** Codex returns an error as its plain message. */
function describeError({ message }: LimpetError) {
  return { text: message, structured: { error: message } };
}

export const codexExecCommand: Tool = defineTool({
  name: "exec_command",
  description: "Execute shell commands on the local machine with streaming output.",
  annotations: { title: "Run a command", ...ACTS },
  params: () => ({
    cmd: z.string(),
    yield_time_ms: wholeNumber().default(10_000),
    max_output_tokens: wholeNumber().default(10_000),
    shell: z.string().default(SHELL),
    login: z.boolean().default(true),
  }),
  inputSchema: object(
    {
      cmd: ["string", "The shell command to execute."],
      login: ["boolean", "Whether to run the command as a login shell. Defaults to true."],
      max_output_tokens: ["number", "The maximum number of tokens to output."],
      shell: ["string", 'The shell to use. Defaults to "/bin/bash".'],
      yield_time_ms: ["number", "The maximum time in milliseconds to wait for output."],
    },
    ["cmd"],
  ),
  unknownParams: "ignore",
  describeError,
  async run(args, context) {
    const turn = await takeTurn(context, {
      on: { kind: "start", start: { command: args.cmd, shell: args.shell, login: args.login } },
      ...waitAndRead(args),
    });
    const { result } = callResult(turn);
    return { text: describeForCodex(result), structured: { ...result } };
  },
});

export const codexWriteStdin: Tool = defineTool({
  name: "write_stdin",
  description:
    "Write characters to an exec session's stdin. Returns all stdout+stderr received within yield_time_ms.\n" +
    "Can write control characters (\\u0003 for Ctrl-C), or an empty string to just poll stdout+stderr.",
  annotations: { title: "Type into a session", ...ACTS },
  params: () => ({
    session_id: wholeNumber(),
    chars: z.string(),
    yield_time_ms: wholeNumber().default(250),
    max_output_tokens: wholeNumber().default(10_000),
  }),
  inputSchema: object(
    {
      chars: ["string", "The characters to write to stdin."],
      max_output_tokens: ["number", "The maximum number of tokens to output."],
      session_id: ["number", "The ID of the exec_command session."],
      yield_time_ms: ["number", "The maximum time in milliseconds to wait for output after writing."],
    },
    ["session_id", "chars"],
  ),
  unknownParams: "ignore",
  describeError,
  async run(args, context) {
    const { session_id: key, chars } = args;
    const turn = takeTurn(context, {
      on: { kind: "session", key },
      // In Codex, a call returns only output that comes after it.
      skipUnread: true,
      input: turnInput({ chars }),
      ...waitAndRead(args),
    });
    const { result } = callResult(await withCodexErrors(turn, args));
    return { text: describeForCodex(result), structured: { ...result } };
  },
});

interface CallArgs {
  readonly yield_time_ms: number;
  readonly max_output_tokens: number;
}

function waitAndRead(args: CallArgs): Pick<TurnRequest, "wait" | "read"> {
  return {
    wait: { kind: "output", deadlineMs: args.yield_time_ms },
    read: { kind: "unread", maxTokens: args.max_output_tokens, fold: false },
  };
}

/** Replaces messages with those of Codex. */
async function withCodexErrors<T>(
  turn: Promise<T>,
  args: { readonly session_id: number; readonly chars: string },
): Promise<T> {
  try {
    return await turn;
  } catch (cause) {
    if (!(cause instanceof LimpetError)) throw cause;
    if (cause.code === "SESSION_NOT_FOUND") {
      throw new LimpetError("SESSION_NOT_FOUND", `unknown session id ${args.session_id}`, { cause });
    }
    // Codex has no holds, but the model must learn of one.
    if (args.chars === "" || cause.code === "SESSION_HELD") throw cause;
    throw new LimpetError("INPUT_NOT_DELIVERED", "failed to write to stdin", { cause });
  }
}
