/** The four tools of the `unified` profile, with the names, defaults and JSON answers of an agent's PTY module. */
import { z } from "zod";
import type { LimpetError } from "../base/limpet-error.ts";
import type { TurnRequest } from "../service/turn.ts";
import { ACTS } from "./annotations.ts";
import { callResult } from "./answer/call-result.ts";
import type { CallResult } from "./answer/describe-result.ts";
import { takeTurn } from "./answer/take-turn.ts";
import { directory, wholeNumber } from "./args/params.ts";
import { turnInput } from "./args/typing.ts";
import { defineTool, type Tool } from "./define-tool.ts";

const DEFAULT_YIELD_MS = 100;
/** Ids are strings in this profile. */
function sessionId() {
  return z.union([z.string(), z.int().positive()], "give a session_id").transform(String);
}

function describeError({ message }: LimpetError) {
  return json({ success: false, error: message });
}

function json(value: Readonly<Record<string, unknown>>) {
  return { text: JSON.stringify(value), structured: value };
}

function outcome({ session_id, output, running, exit_code, truncated }: CallResult) {
  return json({ success: true, session_id: String(session_id), output, running, exit_code, truncated });
}

export const unifiedExec: Tool = defineTool({
  name: "unified_exec",
  description: "Start a command in a PTY and return its first output and a session_id for write_stdin.",
  annotations: { title: "Run a command", ...ACTS },
  params: () => ({
    cmd: z.string(),
    yield_time_ms: wholeNumber().default(DEFAULT_YIELD_MS),
    max_output_tokens: wholeNumber().default(10_000),
    workdir: directory().optional(),
    shell: z.string().optional(),
    login: z.boolean().default(false),
  }),
  unknownParams: "ignore",
  describeError,
  async run(args, context) {
    const start = { command: args.cmd, shell: args.shell, login: args.login, cwd: args.workdir };
    return outcome(callResult(await takeTurn(context, { on: { kind: "start", start }, ...waitAndRead(args) })).result);
  },
});

export const unifiedWriteStdin: Tool = defineTool({
  name: "write_stdin",
  description: "Write to a running session's stdin and return its new output.",
  annotations: { title: "Type into a session", ...ACTS },
  params: () => ({
    session_id: sessionId(),
    chars: z.string(),
    yield_time_ms: wholeNumber().default(DEFAULT_YIELD_MS),
    max_output_tokens: wholeNumber().default(10_000),
  }),
  unknownParams: "ignore",
  describeError,
  async run(args, context) {
    const turn = await takeTurn(context, {
      on: { kind: "session", key: args.session_id },
      input: turnInput({ chars: args.chars }),
      ...waitAndRead(args),
    });
    return outcome(callResult(turn).result);
  },
});

export const closePtySession: Tool = defineTool({
  name: "close_pty_session",
  description: "Close a session; force kills it at once.",
  annotations: { title: "Close a session", ...ACTS, openWorldHint: false },
  params: () => ({ session_id: sessionId(), force: z.boolean().default(false) }),
  unknownParams: "ignore",
  describeError,
  async run({ session_id, force }, { sessions }) {
    const { id } = await sessions.close(session_id, { force });
    return json({ success: true, session_id: String(id) });
  },
});

export const listPtySessions: Tool = defineTool({
  name: "list_pty_sessions",
  description: "List all active sessions.",
  annotations: { title: "List sessions", ...ACTS, readOnlyHint: true, destructiveHint: false, openWorldHint: false },
  params: () => ({}),
  unknownParams: "ignore",
  describeError,
  async run(_args, { sessions }) {
    const all = await sessions.list({ ended: false });
    // In this profile, an ended session is not active, even if it left processes running.
    const active = all.filter(({ exit }) => exit === null);
    const shown = active.map(({ id, program }) => ({ session_id: String(id), command: program, running: true }));
    return json({ success: true, sessions: shown, count: shown.length });
  },
});

interface CallArgs {
  readonly yield_time_ms: number;
  readonly max_output_tokens: number;
}

/** This profile keeps escape sequences and repeated lines. */
function waitAndRead(args: CallArgs): Pick<TurnRequest, "wait" | "read"> {
  return {
    wait: { kind: "output", deadlineMs: args.yield_time_ms },
    read: { kind: "unread", maxTokens: args.max_output_tokens, raw: true },
  };
}
