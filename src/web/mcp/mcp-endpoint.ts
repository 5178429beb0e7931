/**
 * MCP over HTTP, for any number of clients: streamable HTTP with sessions for the protocols before 2026, and
 * independent requests for that of 2026. Who the client is, and what it may do, was checked before: a client is known
 * by the name of its token.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { classifyInboundRequest } from "@modelcontextprotocol/server";
import { type Message, NOT_A_REQUEST } from "../../adapters/mcp/read-message.ts";
import { AnswerWatch } from "./answer-watch.ts";
import { ClientTable } from "./client-table.ts";
import { type HttpRefusal, readRequest } from "./read-request.ts";
import { refuse } from "./refuse.ts";
import type { McpVisitor, ServeOptions } from "./serve-options.ts";

/** How often sessions of clients that have gone are closed. */
const SWEEP_MS = 60_000;
/** The code that the MCP SDK uses for a session that has ended. */
const SESSION_NOT_FOUND = -32001;
const METHODS: readonly string[] = ["GET", "POST", "DELETE"];
const OTHER_METHOD: HttpRefusal = {
  status: 405,
  id: null,
  code: NOT_A_REQUEST,
  message: `MCP does not use this method. Use ${METHODS.join(", ")}.`,
};

export class McpEndpoint {
  readonly #clients: ClientTable;
  readonly #watch = new AnswerWatch();
  readonly #sweeping: NodeJS.Timeout;

  constructor(options: ServeOptions) {
    this.#clients = new ClientTable({ ...options, watch: this.#watch });
    this.#sweeping = setInterval(() => this.sweep(), SWEEP_MS);
    this.#sweeping.unref();
  }

  async serve(request: IncomingMessage, response: ServerResponse, visitor: McpVisitor): Promise<void> {
    this.#watch.used(request.socket);
    if (!METHODS.includes(request.method ?? "")) return refuse(response, OTHER_METHOD);
    if (request.method !== "POST") return await this.#serveSession({ request, response, visitor, message: undefined });
    const read = await readRequest(request);
    if (read.kind === "gone") return;
    if (read.kind === "refused") return refuse(response, read.refusal);
    const { message } = read;
    if (isBefore2026(request, message)) return await this.#serveSession({ request, response, visitor, message });
    await this.#clients.statelessOf(visitor).serve({ request, response, message });
  }

  /** Ends the clients that have gone, and those whose token is no longer valid. */
  sweep(): void {
    this.#clients.sweep();
  }

  close(): void {
    clearInterval(this.#sweeping);
    this.#clients.close();
  }

  async #serveSession({ request, response, visitor, message }: SessionExchange): Promise<void> {
    const id = request.headers["mcp-session-id"];
    const isInitialize = id === undefined && message?.method === "initialize";
    const session = isInitialize ? await this.#clients.open(visitor) : this.#clients.find(String(id), visitor);
    if (session) return await session.serve({ request, response, message });
    refuse(response, isInitialize ? full(message) : notFound(id, message));
  }
}

/** Decides like the MCP SDK. The newest protocol handles, and refuses, requests that match no protocol. */
function isBefore2026({ headers }: IncomingMessage, body: Message): boolean {
  const named = [
    ["protocolVersionHeader", headers["mcp-protocol-version"]],
    ["mcpMethodHeader", headers["mcp-method"]],
    ["mcpNameHeader", headers["mcp-name"]],
  ].filter(([, value]) => value !== undefined);
  return classifyInboundRequest({ httpMethod: "POST", ...Object.fromEntries(named), body }).kind === "legacy";
}

interface SessionExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly visitor: McpVisitor;
  readonly message: Message | undefined;
}

function full(message: Message): HttpRefusal {
  const text = "Too many MCP sessions are open. End one of them with DELETE, or try again later.";
  return { status: 503, id: message.id ?? null, code: NOT_A_REQUEST, message: text };
}

function notFound(id: string | readonly string[] | undefined, message: Message | undefined): HttpRefusal {
  const at = { id: message?.id ?? null };
  if (id === undefined) {
    const text = "The request has no Mcp-Session-Id. Send initialize first, and its session id with each request.";
    return { ...at, status: 400, code: NOT_A_REQUEST, message: text };
  }
  const text = "This MCP session has ended or does not exist. Send initialize again.";
  return { ...at, status: 404, code: SESSION_NOT_FOUND, message: text };
}
