/** MCP over HTTP without the check of tokens, which the web server does: a token is the name of its caller. */
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import {
  Client,
  type ClientOptions,
  type ElicitResult,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import { McpEndpoint } from "../../../src/web/mcp/mcp-endpoint.ts";
import type { ServeOptions } from "../../../src/web/mcp/serve-options.ts";
import { type Answer, type Connected, type Era, INITIALIZE, textOf } from "../mcp.ts";

export interface ServedMcp {
  readonly url: URL;
  readonly endpoint: McpEndpoint;
  /** Of clients, as the server sees them. */
  connections(): Promise<number>;
}

/** `alice:view` may only view. Ends with the test. */
export async function serveMcpHttp(options: ServeOptions): Promise<ServedMcp> {
  const endpoint = new McpEndpoint(options);
  const server = createServer((request, response) => {
    const [caller = "", right] = (request.headers.authorization ?? "").replace("Bearer ", "").split(":");
    const visitor = { caller, right: right === "view" ? "view" : "control" } as const;
    endpoint.serve(request, response, visitor).catch((error: Error) => response.destroy(error));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    endpoint.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    // Waits for earlier requests: one that is still running would start the host again.
    await options.sessions.running().catch(() => undefined);
  });
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  const connections = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
  return { url, endpoint, connections };
}

export type Elicitation = NonNullable<NonNullable<ClientOptions["capabilities"]>["elicitation"]>;

interface ConnectOptions {
  /** The kinds of questions that the client says it can ask, and what a person answers. Default: none. */
  readonly elicitation?: Elicitation;
  readonly answer?: (params: Readonly<Record<string, unknown>>) => ElicitResult | Promise<ElicitResult>;
  readonly token?: string;
  readonly era?: Era;
  readonly name?: string;
}

export interface HttpClient extends Omit<Connected, "pid"> {
  readonly transport: StreamableHTTPClientTransport;
}

/** The official client. */
export async function connectHttp(url: URL, options: ConnectOptions = {}): Promise<HttpClient> {
  const { token = "alice", era = "legacy", name = "test", elicitation, answer } = options;
  const mode = era === "legacy" ? "legacy" : { pin: era };
  const capabilities = elicitation ? { elicitation } : {};
  const client = new Client({ name, version: "1.0.0" }, { capabilities, versionNegotiation: { mode } });
  if (answer) client.setRequestHandler("elicitation/create", async ({ params }) => await answer({ ...params }));
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  await client.connect(transport);
  const result = (tool: string, given: Record<string, unknown>) => client.callTool({ name: tool, arguments: given });
  return {
    client,
    transport,
    call: async (tool, given = {}) => textOf(await result(tool, given)),
    structured: async (tool, given = {}) => (await result(tool, given)).structuredContent as Record<string, unknown>,
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** What came before the connection ended or was reset. */
export interface RawAnswer {
  /** 0 if the head did not arrive. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface RawRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The client has read so many bytes of the answer, with its head, when it resets the connection. */
  readonly cutAfter?: number;
  /** The same when this is in the answer. */
  readonly cutAt?: string;
  /** Resets the connection. */
  readonly signal?: AbortSignal;
}

/** One HTTP request over a connection of its own, as the bytes that a client sends and reads. */
export function rawRequest(url: URL, options: RawRequest): Promise<RawAnswer> {
  const { method = "POST", headers = {}, body, cutAfter = Number.POSITIVE_INFINITY, cutAt, signal } = options;
  return new Promise((resolve, reject) => {
    const sent = Buffer.from(typeof body === "string" ? body : body === undefined ? "" : JSON.stringify(body));
    const head = {
      host: url.host,
      authorization: "Bearer alice",
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "content-length": String(sent.length),
      ...headers,
    };
    const socket = connect(Number(url.port), url.hostname, () => {
      const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`${method} ${url.pathname} HTTP/1.1\r\n${lines.join("")}\r\n`);
      socket.write(sent);
    });
    let received = Buffer.alloc(0);
    const finish = () => resolve(parseAnswer(received.subarray(0, cutAfter).toString("utf8")));
    const reset = () => {
      socket.resetAndDestroy();
      finish();
    };
    signal?.addEventListener("abort", reset, { once: true });
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (received.length >= cutAfter || (cutAt !== undefined && received.includes(cutAt))) reset();
      else if (isWhole(received)) socket.end();
    });
    socket.on("end", finish).on("close", finish);
    socket.on("error", (error) => (received.length > 0 ? finish() : reject(error)));
  });
}

/** Whether nothing follows. The connection would be kept for another request. */
function isWhole(received: Buffer): boolean {
  const end = received.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const head = received.subarray(0, end).toString().toLowerCase();
  const length = /content-length: (\d+)/.exec(head)?.[1];
  if (length !== undefined) return received.length >= end + 4 + Number(length);
  if (head.includes("transfer-encoding: chunked")) return received.subarray(-7).includes("\r\n0\r\n\r\n");
  return true;
}

function parseAnswer(text: string): RawAnswer {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return { status: 0, headers: {}, body: "" };
  const [first = "", ...lines] = text.slice(0, end).split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const rest = text.slice(end + 4);
  const body = headers["transfer-encoding"] === "chunked" ? withoutChunks(Buffer.from(rest)) : rest;
  return { status: Number(first.split(" ")[1]), headers, body };
}

/** The last chunk may be incomplete. */
function withoutChunks(rest: Buffer): string {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = rest.indexOf("\r\n", at);
    const size = Number.parseInt(rest.subarray(at, end < 0 ? at : end).toString(), 16);
    if (end < 0 || !(size > 0)) return Buffer.concat(parts).toString("utf8");
    parts.push(rest.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}

/** The messages of a stream of events, and the id of the last one. */
export function eventsOf(body: string): { readonly messages: readonly Answer[]; readonly lastId: string | undefined } {
  const messages: Answer[] = [];
  let lastId: string | undefined;
  for (const event of body.split("\n\n").slice(0, -1)) {
    const id = /^id: (.*)$/m.exec(event)?.[1];
    const data = /^data: (.*)$/m.exec(event)?.[1];
    if (id !== undefined) lastId = id;
    if (data !== undefined && data.trim() !== "") messages.push(JSON.parse(data) as Answer);
  }
  return { messages, lastId };
}

/** A session of the protocol before 2026, request by request. */
export class RawSession {
  readonly #url: URL;
  readonly #headers: Readonly<Record<string, string>>;

  private constructor(url: URL, headers: Readonly<Record<string, string>>) {
    this.#url = url;
    this.#headers = headers;
  }

  static async open(url: URL, token = "alice"): Promise<RawSession> {
    const authorization = `Bearer ${token}`;
    const params = { ...INITIALIZE.params, protocolVersion: "2025-11-25" };
    const { headers } = await rawRequest(url, { headers: { authorization }, body: { ...INITIALIZE, params } });
    const opened = { authorization, "mcp-session-id": String(headers["mcp-session-id"]) };
    const session = new RawSession(url, { ...opened, "mcp-protocol-version": "2025-11-25" });
    await session.request({ body: { jsonrpc: "2.0", method: "notifications/initialized" } });
    return session;
  }

  get id(): string {
    return this.#headers["mcp-session-id"] as string;
  }

  request(request: RawRequest): Promise<RawAnswer> {
    return rawRequest(this.#url, { ...request, headers: { ...this.#headers, ...request.headers } });
  }

  /** A call whose connection may be cut. */
  tool(id: number, name: string, args: Record<string, unknown>, cut: RawRequest = {}): Promise<RawAnswer> {
    return this.request({
      ...cut,
      body: { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } },
    });
  }

  /** What was sent after this event. */
  resume(lastId: string, cut: RawRequest = {}): Promise<RawAnswer> {
    return this.request({ ...cut, method: "GET", headers: { "last-event-id": lastId } });
  }
}

/** The text of the answer to a call, if it is there. */
export function answerText({ body }: RawAnswer, id: number): string | undefined {
  const answer = eventsOf(body).messages.find((message) => message.id === id && message.method === undefined);
  const content = answer?.result?.["content"] as readonly { readonly text?: string }[] | undefined;
  return content?.map(({ text = "" }) => text).join("\n");
}
