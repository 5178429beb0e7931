/** The four tools of the `unified` profile, with the names, defaults and JSON answers of an agent's PTY module. */
import { z } from "zod";
import type { LimpetError } from "../base/limpet-error.ts";
import type { TurnRequest } from "../service/turn/turn-request.ts";
import { ACTS } from "./annotations.ts";
import { callResult } from "./answer/call-result.ts";
import { describeSurroundings } from "./answer/describe-surroundings.ts";
import { type ToolTurn, takeTurn } from "./answer/take-turn.ts";
import { directory, wholeNumber } from "./args/params.ts";
import { turnInput } from "./args/typing.ts";
import { defineTool } from "./define-tool.ts";
import type { Tool } from "./tool.ts";

const DEFAULT_YIELD_MS = 100;

/** Ids are strings in this profile. */
function sessionId() {
  const id = z.union([z.string(), z.int().positive()], "give a session_id");
  return id.transform(String).describe("the session_id that unified_exec returned");
}

function yieldTime() {
  return wholeNumber()
    .default(DEFAULT_YIELD_MS)
    .describe("longest wait for output in milliseconds; 500 to 5000 for programs that start slowly (npm, compilers)");
}

function outputTokens() {
  return wholeNumber().default(10_000).describe("most output to return, at about 4 characters a token");
}

function describeError({ message }: LimpetError) {
  return json({ success: false, error: message });
}

function json(value: Readonly<Record<string, unknown>>) {
  return { text: JSON.stringify(value), structured: value };
}

/** The fields of the seed. What it does not know is there only if it applies. */
function outcome(turn: ToolTurn) {
  const { session_id, output, running, exit_code, signal, truncated } = callResult(turn).result;
  const { notes } = describeSurroundings(turn);
  return json({
    success: true,
    session_id: String(session_id),
    output,
    running,
    exit_code,
    truncated,
    ...(signal === null ? {} : { signal }),
    ...(notes.length === 0 ? {} : { notes }),
  });
}

export const unifiedExec: Tool = defineTool({
  name: "unified_exec",
  description:
    "Start a command in a PTY (pseudo-terminal), for interactive and long-running programs: REPLs, installers, servers. " +
    "Returns JSON: success, session_id, output, running, exit_code (null while it runs), truncated. " +
    'While running is true, go on with write_stdin: unified_exec(cmd="python3 -i"), then write_stdin(session_id, "print(2 + 2)\\n").',
  annotations: { title: "Run a command", ...ACTS },
  params: () => ({
    cmd: z.string().describe("the command line for the shell"),
    yield_time_ms: yieldTime(),
    max_output_tokens: outputTokens(),
    workdir: directory().optional().describe("the directory to start in; default: the current one"),
    shell: z.string().optional().describe("the shell that runs it; default: $SHELL, else /bin/bash"),
    login: z.boolean().default(false).describe("run it as a login shell"),
  }),
  unknownParams: "ignore",
  describeError,
  async run(args, context) {
    const start = { command: args.cmd, shell: args.shell, login: args.login, cwd: args.workdir };
    return outcome(await takeTurn(context, { on: { kind: "start", start }, ...waitAndRead(args, {}) }));
  },
});

export const unifiedWriteStdin: Tool = defineTool({
  name: "write_stdin",
  description:
    "Write to the stdin of a running session and return its new output, as JSON like unified_exec. " +
    "Empty chars only wait yield_time_ms for output.",
  annotations: { title: "Type into a session", ...ACTS },
  params: () => ({
    session_id: sessionId(),
    chars: z.string().describe('what to write; "\\n" is Enter, "\\u0003" Ctrl-C'),
    yield_time_ms: yieldTime(),
    max_output_tokens: outputTokens(),
  }),
  unknownParams: "ignore",
  describeError,
  async run(args, context) {
    const input = turnInput({ chars: args.chars });
    const on = { kind: "session", key: args.session_id } as const;
    return outcome(await takeTurn(context, { on, input, ...waitAndRead(args, { onInput: input !== undefined }) }));
  },
});

export const closePtySession: Tool = defineTool({
  name: "close_pty_session",
  description: "Close a session that is no longer needed: ends its processes with SIGTERM, and frees it.",
  annotations: { title: "Close a session", ...ACTS, openWorldHint: false },
  params: () => ({
    session_id: sessionId(),
    force: z.boolean().default(false).describe("kill with SIGKILL at once"),
  }),
  unknownParams: "ignore",
  describeError,
  async run({ session_id, force }, { sessions, caller, tool }) {
    const { id } = await sessions.close(session_id, { force, firstSignal: "SIGTERM", caller, tool });
    return json({ success: true, session_id: String(id) });
  },
});

export const listPtySessions: Tool = defineTool({
  name: "list_pty_sessions",
  description: "List all active sessions: session_id, command and running of each, and their count.",
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
function waitAndRead(args: CallArgs, wait: { readonly onInput?: boolean }): Pick<TurnRequest, "wait" | "read"> {
  return {
    wait: { kind: "output", deadlineMs: args.yield_time_ms, ...wait },
    read: { kind: "unread", maxTokens: args.max_output_tokens, raw: true },
  };
}
