/** Serves MCP over two streams, to clients of the protocol of 2026 and of earlier ones. */
import type { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { deferred } from "../../base/async/deferred.ts";
import { McpClient, outboxOf } from "./mcp-client.ts";
import type { McpConnection, McpOptions } from "./mcp-options.ts";
import { McpStdio } from "./mcp-stdio.ts";

/** Serves one client. Without `caller`, each connection reads the output of every session from the beginning. */
export function serveMcp(options: McpOptions): McpConnection {
  const { input = process.stdin, output = process.stdout, onError } = options;
  const closed = deferred<void>();
  let server: Server | undefined;
  const client = new McpClient({ ...options, outbox: outboxOf(() => server) });
  const transport = new McpStdio({
    input,
    output,
    observe: (message) => client.note(message),
    onAnswered: (id) => client.receipts.delivered(id),
  });
  const handle = serveStdio(
    () => {
      server = client.createServer();
      return server;
    },
    { transport, ...(onError ? { onerror: onError } : {}) },
  );
  const serverClosed = transport.onclose;
  transport.onclose = () => {
    client.close();
    serverClosed?.();
    closed.resolve();
  };
  const close = async () => {
    await handle.close();
    await closed.promise;
  };
  return { closed: closed.promise, close, [Symbol.asyncDispose]: close };
}
