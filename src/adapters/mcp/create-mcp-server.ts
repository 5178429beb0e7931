/** The MCP server of one connection: the tools of a profile, and sessions as resources. */
import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import { LimpetError } from "../../base/limpet-error.ts";
import { packageVersion } from "../../base/package-version.ts";
import { KNOWN_SCHEMAS } from "../../tools/args/known-schemas.ts";
import type { Tool } from "../../tools/tool.ts";
import { callTool } from "./calls/call-tool.ts";
import type { McpOptions } from "./mcp-options.ts";
import { TEMPLATES } from "./resources/session-resources.ts";
import type { ServerParts } from "./server-parts.ts";

export const INSTRUCTIONS: string =
  "Real terminals that stay alive between calls. Use run for one command after another, and exec_command for a program " +
  "that stays, such as a server, a REPL or an editor. Continue with write_stdin, wait_for, read_screen (full-screen " +
  "programs) and read_output (what was cut). Close sessions that you no longer need.";

/** Only if there are places. */
export function placesNote([first]: readonly string[]): string {
  if (first === undefined) return "";
  return ` With place, run and exec_command work on another machine; session ids there look like ${first}/7.`;
}

/** For clients with channels, if events are pushed. */
const CHANNEL_INSTRUCTIONS =
  ' Events of your sessions arrive as <channel source="limpet">. They need no answer: act if the event matters to your task.';

/**
 * Claude Code hides the tools of a server until its model searches for them. A model that does not see them uses the
 * built-in shell instead.
 */
const ALWAYS_LOADED = { "anthropic/alwaysLoad": true };

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
    resources.refreshSoon();
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

type Described = Pick<McpOptions, "structured" | "profile" | "places">;

function describeTool(tool: Tool, { structured = false, profile = "all", places = [] }: Described) {
  const { name, description, annotations } = tool;
  const isUsual = profile === "all" && places.length === 0;
  const inputSchema = (isUsual ? KNOWN_SCHEMAS[name] : undefined) ?? tool.inputSchema;
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
    `This token can only view sessions, and ${name} changes something. Use a token with the scope control.`,
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
