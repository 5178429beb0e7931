/** Answers with a JSON-RPC error, and with an HTTP status for clients that check only that. */
import type { ServerResponse } from "node:http";
import type { HttpRefusal } from "./read-request.ts";

export function refuse(response: ServerResponse, { status, id, ...error }: HttpRefusal): void {
  if (response.destroyed || response.headersSent) return;
  // The rest of the body is not read.
  const ends = status === 413 ? { connection: "close" } : {};
  const allows = status === 405 ? { allow: "GET, POST, DELETE" } : {};
  response.writeHead(status, { "content-type": "application/json", ...ends, ...allows });
  response.end(JSON.stringify({ jsonrpc: "2.0", id, error }));
}
