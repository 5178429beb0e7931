/** One server for one connection: the tools of a profile and the output of sessions, in the words of MCP. */
import { ProtocolError, ProtocolErrorCode, Server, type ServerContext } from "@modelcontextprotocol/server";
import { LimpetError } from "../../base/limpet-error.ts";
import { packageVersion } from "../../base/package-version.ts";
import type { Tool, ToolContext } from "../../tools/define-tool.ts";
import type { McpOptions } from "./mcp-options.ts";
import type { Receipts } from "./receipts.ts";
import { reportProgress } from "./report-progress.ts";
import type { SessionNews } from "./session-news.ts";
import { type SessionResources, TEMPLATES } from "./session-resources.ts";

/** Many clients give a call up after 60 s of silence; what is left is for the answer. */
const LONGEST_SILENT_WAIT_MS = 50_000;
const PROGRESS_EVERY_MS = 5_000;

export const INSTRUCTIONS: string =
  "limpet runs commands in real terminals that stay alive between calls. run is for one command after the other, in a shell " +
  "that stays. exec_command starts a program of its own, such as a server, a REPL or an editor, and returns when it ends, " +
  "asks for input or takes long; then go on with its session_id: write_stdin types (also passwords, keys, answers to " +
  "prompts), wait_for waits without polling, read_screen shows full-screen programs, read_output reads again what was cut. " +
  "Close what you no longer need.";

interface ServerParts extends McpOptions {
  readonly caller: string;
  readonly tools: readonly Tool[];
  readonly instructions?: string;
  readonly resources: SessionResources;
  readonly receipts: Receipts;
  readonly news: SessionNews;
}

export function createMcpServer(parts: ServerParts): Server {
  const { tools, resources, news, instructions } = parts;
  const server = new Server(
    { name: "limpet", title: "limpet", version: packageVersion() },
    {
      capabilities: { tools: {}, resources: { subscribe: true, listChanged: true }, logging: {} },
      ...(instructions === undefined ? {} : { instructions }),
    },
  );
  server.setRequestHandler("tools/list", () => ({ tools: tools.map(describeTool) }));
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool) throw unknownTool(params.name, tools);
    const result = await news.during(callTool(tool, params.arguments, { parts, context }));
    // The list of resources follows; the answer does not wait for it.
    void resources.look().catch(() => undefined);
    void news.look().catch(() => undefined);
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
  return server;
}

function describeTool({ name, description, inputSchema, outputSchema, annotations }: Tool) {
  return {
    name,
    description,
    inputSchema: { ...inputSchema, type: "object" as const },
    // Clients check an error against it, too, so nothing can be required here.
    ...(outputSchema ? { outputSchema: { type: "object" as const, properties: outputSchema.properties } } : {}),
    annotations: { ...annotations },
  };
}

interface Call {
  readonly parts: ServerParts;
  readonly context: ServerContext;
}

async function callTool(tool: Tool, args: unknown, { parts, context: { mcpReq } }: Call) {
  const { progressEveryMs = PROGRESS_EVERY_MS, longestSilentWaitMs = LONGEST_SILENT_WAIT_MS } = parts;
  const progressToken = mcpReq._meta?.progressToken;
  const { receipts } = parts;
  receipts.begin(mcpReq.id);
  mcpReq.signal.addEventListener("abort", () => receipts.cancelled(mcpReq.id), { once: true });
  const context: ToolContext = {
    sessions: parts.sessions,
    onReceipt: (receipt) => receipts.expect(mcpReq.id, receipt),
    caller: parts.caller,
    signal: mcpReq.signal,
    ...(progressToken === undefined ? { longestWaitMs: longestSilentWaitMs } : {}),
  };
  const progress =
    progressToken === undefined
      ? undefined
      : reportProgress({
          everyMs: progressEveryMs,
          notify: (params) => mcpReq.notify({ method: "notifications/progress", params: { progressToken, ...params } }),
        });
  try {
    const { text, structured, image, isError } = await tool.call(args, context);
    const picture = image ? [{ type: "image" as const, data: image.base64, mimeType: image.mediaType }] : [];
    return { content: [{ type: "text" as const, text }, ...picture], structuredContent: { ...structured }, isError };
  } catch (error) {
    if (!mcpReq.signal.aborted) void mcpReq.log("error", `${tool.name} broke: ${String(error)}`, "limpet");
    throw error;
  } finally {
    progress?.stop();
  }
}

function unknownTool(name: string, tools: readonly Tool[]): ProtocolError {
  const known = tools.map((tool) => tool.name).join(", ");
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `No tool ${JSON.stringify(name)}. Call one of: ${known}.`);
}

/** An address that leads nowhere is told with it. */
async function found<T>(uri: string, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof LimpetError)) throw error;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message, { uri, code: error.code });
  }
}
