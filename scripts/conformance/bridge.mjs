/**
 * MCP over HTTP in front of `limpet mcp`, because the conformance tests speak only HTTP. Before 2026 each connection
 * has its own server. In the protocol of 2026 requests are independent, and all use one.
 */
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { StdioServer } from "./stdio-server.mjs";

const MODERN = "2026-07-28";
const VERSION = "io.modelcontextprotocol/protocolVersion";
const HEADER_MISMATCH = -32020;
/** What HTTP says for an error of the server. All others are 400. */
const STATUS = new Map([[-32601, 404]]);

export async function startBridge() {
  const servers = new Map();
  const http = createServer((request, response) => {
    handle(servers, request, response).catch((error) => response.destroy(error));
  });
  await new Promise((resolve) => http.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${http.address().port}/mcp`,
    close() {
      for (const server of servers.values()) server.close();
      http.closeAllConnections();
      http.close();
    },
  };
}

async function handle(servers, request, response) {
  const { headers, method } = request;
  if (method !== "POST") return response.writeHead(405).end();
  let text = "";
  for await (const chunk of request) text += chunk;
  const message = JSON.parse(text);
  const isModern = message.params?._meta?.[VERSION] !== undefined || headers["mcp-protocol-version"] === MODERN;
  if (isModern) return answerModern(serverOf(servers, MODERN), { message, headers, response });
  const id = headers["mcp-session-id"] ?? randomUUID();
  const server = serverOf(servers, id);
  if (message.id === undefined) {
    server.tell(message);
    return response.writeHead(202).end();
  }
  server.ask(message, (answer) => {
    response.writeHead(200, { "content-type": "application/json", "mcp-session-id": id }).end(JSON.stringify(answer));
  });
}

function answerModern(server, { message, headers, response }) {
  const named = message.params?._meta?.[VERSION];
  const isMismatch = named !== undefined && named !== headers["mcp-protocol-version"];
  if (isMismatch) return sendJson(response, refusal(message, `The header does not name the protocol ${named}.`));
  if (message.id === undefined) {
    server.tell(message);
    return response.writeHead(202).end();
  }
  const cancel = server.ask(message, (answer) => {
    if (answer.method === undefined && !response.headersSent) return sendJson(response, answer);
    if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`data: ${JSON.stringify(answer)}\n\n`);
    if (answer.method === undefined) response.end();
  });
  response.on("close", cancel);
}

function sendJson(response, answer) {
  const status = answer.error ? (STATUS.get(answer.error.code) ?? 400) : 200;
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
}

function refusal({ id }, message) {
  return { jsonrpc: "2.0", id, error: { code: HEADER_MISMATCH, message } };
}

function serverOf(servers, key) {
  const server = servers.get(key) ?? new StdioServer();
  servers.set(key, server);
  return server;
}
