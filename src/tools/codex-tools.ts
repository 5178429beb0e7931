/** The two tools of Codex's first streamable shell, with exactly its names, schemas, defaults and texts. */
import { z } from "zod";
import { LimpetError } from "../base/limpet-error.ts";
import type { TurnRequest } from "../service/turn/turn-request.ts";
import { ACTS } from "./annotations.ts";
import { callResult } from "./answer/call-result.ts";
import { describeForCodex } from "./answer/describe-result.ts";
import { takeTurn } from "./answer/take-turn.ts";
import { turnInput } from "./args/typing.ts";
import { defineTool } from "./define-tool.ts";
import type { Tool } from "./tool.ts";

const SHELL = "/bin/bash";
const PARSE_ERROR = "failed to parse function arguments: ";
/** The largest number of 64 bits, which JavaScript rounds up. */
const MAX_U64 = 2 ** 64;

/** Numbers beyond what JavaScript counts exactly are treated as the largest that it does. */
function unsigned(max: number) {
  const range = `pass an integer from 0 to ${max === MAX_U64 ? "2^64-1" : max}`;
  const number = z.number(range).refine((value) => Number.isInteger(value) && value >= 0 && value <= max, range);
  return number.transform((value) => Math.min(value, Number.MAX_SAFE_INTEGER));
}

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
    yield_time_ms: unsigned(MAX_U64).default(10_000),
    max_output_tokens: unsigned(MAX_U64).default(10_000),
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
  argsErrorPrefix: PARSE_ERROR,
  describeError,
  async run(args, context) {
    const turn = takeTurn(context, {
      on: { kind: "start", start: { command: args.cmd, shell: args.shell, login: args.login, endsWhenLeft: true } },
      ...waitAndRead(args, {}),
    });
    const { result } = callResult(await turn.catch(rethrowStart));
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
    session_id: unsigned(2 ** 32 - 1),
    chars: z.string(),
    yield_time_ms: unsigned(MAX_U64).default(250),
    max_output_tokens: unsigned(MAX_U64).default(10_000),
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
  argsErrorPrefix: PARSE_ERROR,
  describeError,
  async run(args, context) {
    const { session_id: key, chars } = args;
    const input = turnInput({ chars });
    const turn = takeTurn(context, {
      on: { kind: "session", key },
      input,
      ...waitAndRead(args, { onInput: input !== undefined }),
    });
    const { result } = callResult(await turn.catch((error: unknown) => rethrowWrite(error, args)));
    return { text: describeForCodex(result), structured: { ...result } };
  },
});

interface CallArgs {
  readonly yield_time_ms: number;
  readonly max_output_tokens: number;
}

/** Calls of one model may overlap, and each gets everything that was unread when it started. */
function waitAndRead(args: CallArgs, wait: { readonly onInput?: boolean }): Pick<TurnRequest, "wait" | "read"> {
  return {
    wait: { kind: "output", deadlineMs: args.yield_time_ms, ...wait },
    read: { kind: "unread", maxTokens: args.max_output_tokens, fold: false, whole: true },
  };
}

/** Codex's message, followed by limpet's reason. */
function rethrowStart(error: unknown): never {
  if (!(error instanceof LimpetError) || error.sessionId === undefined) throw error;
  const { code, sessionId } = error;
  const cause = code === "SESSION_LIMIT" ? limitMessage(error.message) : error.message;
  const message = `failed to create exec command session for session id ${sessionId}: ${cause}`;
  throw new LimpetError(code, message, { cause: error });
}

/** This profile has no tool that closes a session: a model ends a program by typing. */
function limitMessage(message: string): string {
  const [fact = message] = message.split(/(?<=[.)]) (?=[A-Z])/, 1);
  return `${fact} End one that is not needed with write_stdin: "\\u0003" (Ctrl-C), or what its program takes for an end.`;
}

function rethrowWrite(error: unknown, args: { readonly session_id: number; readonly chars: string }): never {
  if (!(error instanceof LimpetError)) throw error;
  if (error.code === "SESSION_NOT_FOUND") {
    throw new LimpetError("SESSION_NOT_FOUND", `unknown session id ${args.session_id}`, { cause: error });
  }
  // Codex has no holds, but the model must learn of one.
  if (args.chars === "" || error.code === "SESSION_HELD") throw error;
  throw new LimpetError("INPUT_NOT_DELIVERED", `failed to write to stdin: ${error.message}`, { cause: error });
}
