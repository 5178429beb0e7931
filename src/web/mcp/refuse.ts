/** Answers with a JSON-RPC error, and with a status for clients that look no further. */
import type { ServerResponse } from "node:http";
import type { HttpRefusal } from "./read-request.ts";

export function refuse(response: ServerResponse, { status, id, ...error }: HttpRefusal): void {
  if (response.destroyed || response.headersSent) return;
  // Whatever is left of the body is not read.
  const ends = status === 413 ? { connection: "close" } : {};
  const allows = status === 405 ? { allow: "GET, POST, DELETE" } : {};
  response.writeHead(status, { "content-type": "application/json", ...ends, ...allows });
  response.end(JSON.stringify({ jsonrpc: "2.0", id, error }));
}
