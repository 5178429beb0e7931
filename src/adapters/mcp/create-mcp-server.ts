/** The MCP server of one connection: the tools of a profile, and sessions as resources. */
import { ProtocolError, ProtocolErrorCode, Server, type ServerContext } from "@modelcontextprotocol/server";
import { LimpetError } from "../../base/limpet-error.ts";
import { packageVersion } from "../../base/package-version.ts";
import type { Tool, ToolContext } from "../../tools/define-tool.ts";
import { guardByPolicy } from "../../tools/guard/guard-by-policy.ts";
import type { CallLimits } from "./calls/call-limits.ts";
import type { Receipts } from "./calls/receipts.ts";
import { reportProgress } from "./calls/report-progress.ts";
import { clientAsker, QuestionForClient, questionResult } from "./elicit-approval.ts";
import type { SessionChannel } from "./events/session-channel.ts";
import type { SessionNotifications } from "./events/session-notifications.ts";
import type { McpOptions } from "./mcp-options.ts";
import { type SessionResources, TEMPLATES } from "./resources/session-resources.ts";

/** Less than the shortest time-out that people give a server: 5 s. */
const PROGRESS_EVERY_MS = 3_000;

export const INSTRUCTIONS: string =
  "limpet runs commands in real terminals that stay alive between calls. run executes one command after another in a " +
  "persistent shell. exec_command starts a program in its own terminal, such as a server, a REPL or an editor, and returns " +
  "when it ends, asks for input or takes long; then continue with its session_id: write_stdin types (also passwords, keys, " +
  "answers to prompts), wait_for waits without polling, read_screen shows full-screen programs, read_output reads what was " +
  "cut. Close sessions that you no longer need.";

/** Only if there are places. */
export function placesNote([first]: readonly string[]): string {
  if (first === undefined) return "";
  return ` With place, run and exec_command work on another machine; session ids there look like ${first}/7.`;
}

/** For clients with channels, if events are pushed. */
const CHANNEL_INSTRUCTIONS =
  ' Events of your sessions arrive as <channel source="limpet">. They need no answer: act if the event matters to your task.';

interface ServerParts extends Omit<McpOptions, "caller" | "channel" | "notice"> {
  readonly caller: () => string;
  /** Whether the client may call tools that change something. */
  readonly mayAct: boolean;
  /** Returns the line for the model once. */
  readonly takeNotice: () => string | undefined;
  /** Undefined until the client has said its name. */
  readonly clientName: () => string | undefined;
  readonly tools: readonly Tool[];
  readonly instructions?: string;
  readonly resources: SessionResources;
  readonly receipts: Receipts;
  readonly limits: CallLimits;
  readonly notifications: SessionNotifications;
  /** Undefined if no events are pushed. */
  readonly channel: SessionChannel | undefined;
}

/**
 * Claude Code hides the tools of a server until its model searches for them. A model that does not see them uses the
 * built-in shell instead.
 */
const ALWAYS_LOADED = { "anthropic/alwaysLoad": true };

/** Tools that start programs. */
const STARTERS: ReadonlySet<string> = new Set(["run", "exec_command"]);

export function createMcpServer(parts: ServerParts): Server {
  const { tools, mayAct, resources, notifications, instructions, channel } = parts;
  const experimental = channel ? { experimental: { "claude/channel": {} } } : {};
  const server = new Server(
    { name: "limpet", title: "limpet", version: packageVersion() },
    {
      capabilities: {
        tools: {},
        resources: { subscribe: true, listChanged: true },
        logging: {},
        prompts: {},
        ...experimental,
      },
      ...(instructions === undefined
        ? {}
        : { instructions: channel ? instructions + CHANNEL_INSTRUCTIONS : instructions }),
    },
  );
  server.setRequestHandler("tools/list", () => ({
    tools: tools.filter((tool) => mayAct || isReading(tool)).map((tool) => describeTool(tool, parts)),
  }));
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool) throw unknownTool(params.name, tools);
    if (!mayAct && !isReading(tool)) throw viewOnly(tool);
    const result = await notifications.during(callTool(tool, params.arguments, { parts, context, server }));
    // The answer does not wait for the lists to be updated.
    void resources.refresh().catch(() => undefined);
    void notifications.watchNew().catch(() => undefined);
    return result;
  });
  server.setRequestHandler("resources/list", async () => ({ resources: await resources.list() }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: TEMPLATES }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }) => ({
    contents: [await found(uri, resources.read(uri))],
  }));
  server.setRequestHandler("resources/subscribe", async ({ params: { uri } }) => {
    await found(uri, resources.subscribe(uri));
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", ({ params: { uri } }) => {
    resources.unsubscribe(uri);
    return {};
  });
  server.setRequestHandler("prompts/list", () => ({ prompts: [BRIEF_PROMPT] }));
  server.setRequestHandler("prompts/get", async ({ params: { name } }) => {
    if (name !== BRIEF_PROMPT.name) throw unknownPrompt(name);
    const text = `The sessions that limpet has for this project now:\n${await resources.brief()}`;
    return { description: BRIEF_PROMPT.description, messages: [{ role: "user", content: { type: "text", text } }] };
  });
  return server;
}

const BRIEF_PROMPT = {
  name: "brief",
  title: "What runs in limpet",
  description: "All sessions of this project, their last results and open questions, in at most 300 tokens.",
};

function unknownPrompt(name: string): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `The prompt ${JSON.stringify(name)} does not exist. Use brief.`,
  );
}

function describeTool(tool: Tool, { structured = false }: Pick<McpOptions, "structured">) {
  const { name, description, inputSchema, annotations } = tool;
  const outputSchema = structured ? tool.outputSchema : undefined;
  return {
    name,
    description,
    inputSchema: { ...inputSchema, type: "object" as const },
    // Clients also check errors against this schema, so no field is required.
    ...(outputSchema ? { outputSchema: { type: "object" as const, properties: outputSchema.properties } } : {}),
    annotations: { ...annotations },
    _meta: ALWAYS_LOADED,
  };
}

interface Call {
  readonly server: Server;
  readonly parts: ServerParts;
  readonly context: ServerContext;
}

async function callTool(tool: Tool, args: unknown, { server, parts, context: { mcpReq } }: Call) {
  const { progressEveryMs = PROGRESS_EVERY_MS, receipts, limits } = parts;
  const progressToken = mcpReq._meta?.progressToken;
  const startedMs = performance.now();
  const onCancelled = () => {
    receipts.cancelled(mcpReq.id);
    limits.cancelled(performance.now() - startedMs, mcpReq.signal.reason);
  };
  receipts.begin(mcpReq.id);
  mcpReq.signal.addEventListener("abort", onCancelled, { once: true });
  const context: ToolContext = {
    sessions: parts.sessions,
    onReceipt: (receipt) => receipts.expect(mcpReq.id, receipt),
    caller: parts.caller(),
    signal: mcpReq.signal,
    within: parts.sandbox,
    guard: guardOf(parts, server, mcpReq),
    limits: parts.programLimits,
    longestWaitMs: limits.longestWaitMs({ hasProgress: progressToken !== undefined }),
  };
  const progress =
    progressToken === undefined
      ? undefined
      : reportProgress({
          everyMs: progressEveryMs,
          notify: (params) => mcpReq.notify({ method: "notifications/progress", params: { progressToken, ...params } }),
        });
  let fields: Readonly<Record<string, unknown>> = {};
  parts.channel?.callBegins();
  try {
    const { text, structured, image, isError } = await tool.call(args, context);
    fields = structured;
    const first = STARTERS.has(tool.name) && !isError ? parts.takeNotice() : undefined;
    const picture = image ? [{ type: "image" as const, data: image.base64, mimeType: image.mediaType }] : [];
    // Some clients give their model the structured content alone: without our notes, and without the picture.
    const data = parts.structured === true ? { structuredContent: { ...structured } } : {};
    const shown = first === undefined ? text : `${first}\n${text}`;
    return { content: [{ type: "text" as const, text: shown }, ...picture], ...data, isError };
  } catch (error) {
    if (error instanceof QuestionForClient) return await questionResult(error);
    if (!mcpReq.signal.aborted)
      void mcpReq.log("error", `${tool.name} failed unexpectedly: ${String(error)}`, "limpet");
    throw error;
  } finally {
    // Over HTTP, the signal is also aborted after the answer.
    mcpReq.signal.removeEventListener("abort", onCancelled);
    progress?.stop();
    parts.channel?.callEnds(fields);
  }
}

function guardOf({ policy, tools, clientName: client }: ServerParts, server: Server, request: ServerContext["mcpReq"]) {
  return policy && guardByPolicy(policy, { tools, client, asker: clientAsker(server, request) });
}

function unknownTool(name: string, tools: readonly Tool[]): ProtocolError {
  const known = tools.map((tool) => tool.name).join(", ");
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `The tool ${JSON.stringify(name)} does not exist. Call one of: ${known}.`,
  );
}

function isReading({ annotations }: Tool): boolean {
  return annotations.readOnlyHint;
}

function viewOnly({ name }: Tool): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InvalidRequest,
    `This token may view sessions, and ${name} changes something. Use a token with the scope control.`,
  );
}

/** The protocol error for an unknown resource has its URI. */
async function found<T>(uri: string, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof LimpetError)) throw error;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message, { uri, code: error.code });
  }
}
