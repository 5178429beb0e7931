/** A request of `node:http` as the MCP SDK takes it. */
import type { IncomingMessage, ServerResponse } from "node:http";

/** The client is authenticated by now. No later code may see its credentials or pass them on. */
const WITHHELD: ReadonlySet<string> = new Set(["authorization", "cookie", "proxy-authorization"]);

/** Its signal is aborted when the connection ends before the answer does. `extra`: headers to add. */
export function webRequest(
  request: IncomingMessage,
  response: ServerResponse,
  extra: Readonly<Record<string, string>> = {},
): Request {
  const gone = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) gone.abort();
  });
  if (response.destroyed) gone.abort();
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || WITHHELD.has(name)) continue;
    headers.set(name, Array.isArray(value) ? value.join(", ") : value);
  }
  for (const [name, value] of Object.entries(extra)) headers.set(name, value);
  // The SDK ignores the address, which the router has checked.
  return new Request("http://localhost/mcp", { method: request.method ?? "GET", headers, signal: gone.signal });
}
