/** Serves MCP over two streams, to clients of the protocol of 2026 and of those before it alike. */
import type { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { deferred } from "../../base/deferred.ts";
import { profiles } from "../../tools/profiles.ts";
import { createMcpServer, INSTRUCTIONS } from "./create-mcp-server.ts";
import { ListenRequests } from "./listen-requests.ts";
import type { McpConnection, McpOptions } from "./mcp-options.ts";
import { Receipts } from "./receipts.ts";
import { SessionNews } from "./session-news.ts";
import { SessionResources } from "./session-resources.ts";
import { McpStdio } from "./stdio-transport.ts";

/** Serves one client. Unless it has the name of another, each connection has its own place in every session's output. */
export function serveMcp(options: McpOptions): McpConnection {
  const { sessions, profile = "all", input = process.stdin, output = process.stdout, onError } = options;
  const { caller = `mcp ${crypto.randomUUID()}` } = options;
  const receipts = new Receipts(sessions, caller);
  const closed = deferred<void>();
  let server: Server | undefined;
  const resources = new SessionResources({
    sessions,
    caller,
    onUpdated: (uri) => tell(server?.sendResourceUpdated({ uri })),
    onListChanged: () => tell(server?.sendResourceListChanged()),
  });
  const news = new SessionNews({
    sessions,
    tell: (data) => tell(server?.sendLoggingMessage({ level: "notice", logger: "limpet", data })),
  });
  const listens = new ListenRequests(resources);
  const transport = new McpStdio({
    input,
    output,
    observe: (message) => {
      listens.note(message);
      news.note(message);
      receipts.note(message);
    },
    onAnswered: (id) => receipts.delivered(id),
  });
  const handle = serveStdio(
    () => {
      server = createMcpServer({
        ...options,
        caller,
        resources,
        news,
        receipts,
        tools: profiles[profile].tools,
        // The words of the other profiles are their models' own.
        ...(profile === "all" ? { instructions: INSTRUCTIONS } : {}),
      });
      return server;
    },
    { transport, ...(onError ? { onerror: onError } : {}) },
  );
  const serverClosed = transport.onclose;
  transport.onclose = () => {
    resources.close();
    news.close();
    serverClosed?.();
    closed.resolve();
  };
  const close = async () => {
    await handle.close();
    await closed.promise;
  };
  return { closed: closed.promise, close, [Symbol.asyncDispose]: close };
}

/** A client that is gone need not be told. */
function tell(sent: Promise<void> | undefined): void {
  void sent?.catch(() => undefined);
}
