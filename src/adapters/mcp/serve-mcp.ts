/** Serves MCP over two streams, to clients of the protocol of 2026 and of earlier ones. */
import type { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { deferred } from "../../base/async/deferred.ts";
import { lazy } from "../../base/async/lazy.ts";
import { toolsOf } from "../../tools/profiles.ts";
import { CallLimits } from "./calls/call-limits.ts";
import { Receipts } from "./calls/receipts.ts";
import { ClientName } from "./client-name.ts";
import { createMcpServer, INSTRUCTIONS, placesNote } from "./create-mcp-server.ts";
import { SessionChannel } from "./events/session-channel.ts";
import { SessionNotifications } from "./events/session-notifications.ts";
import { ListenRequests } from "./listen-requests.ts";
import type { McpConnection, McpOptions } from "./mcp-options.ts";
import { SessionResources } from "./resources/session-resources.ts";
import { McpStdio } from "./stdio-transport.ts";

/** Serves one client. Without `caller`, each connection reads the output of every session from the beginning. */
export function serveMcp(options: McpOptions): McpConnection {
  const { sessions, profile = "all", input = process.stdin, output = process.stdout, onError } = options;
  const { caller: named = `mcp ${crypto.randomUUID()}` } = options;
  const client = new ClientName();
  const caller = typeof named === "string" ? () => named : lazy(() => named(client.name));
  const limits = new CallLimits(options.maxWaitMs);
  const receipts = new Receipts({ sessions, caller, ignoresLateCancel: () => limits.habits.cancelsAnswered });
  const closed = deferred<void>();
  let server: Server | undefined;
  const resources = new SessionResources({
    sessions,
    caller,
    onUpdated: (uri) => ignoreFailure(server?.sendResourceUpdated({ uri })),
    onListChanged: () => ignoreFailure(server?.sendResourceListChanged()),
  });
  const notifications = new SessionNotifications({
    sessions,
    notify: (data) => ignoreFailure(server?.sendLoggingMessage({ level: "notice", logger: "limpet", data })),
  });
  const channel =
    options.channel &&
    new SessionChannel({
      ...options.channel,
      service: sessions,
      send: (params) =>
        ignoreFailure(server?.notification({ method: "notifications/claude/channel", params: { ...params } })),
    });
  const listens = new ListenRequests(resources);
  const transport = new McpStdio({
    input,
    output,
    observe: (message) => {
      client.note(message);
      limits.note(message);
      listens.note(message);
      notifications.note(message);
      channel?.note(message);
      receipts.note(message);
    },
    onAnswered: (id) => receipts.delivered(id),
  });
  const handle = serveStdio(
    () => {
      server = createMcpServer({
        ...options,
        caller,
        clientName: () => client.name,
        resources,
        notifications,
        channel,
        receipts,
        limits,
        tools: toolsOf(profile, options.places),
        // The other profiles have no instructions, as in the agents that they imitate.
        ...(profile === "all" ? { instructions: INSTRUCTIONS + placesNote(options.places ?? []) } : {}),
      });
      return server;
    },
    { transport, ...(onError ? { onerror: onError } : {}) },
  );
  const serverClosed = transport.onclose;
  transport.onclose = () => {
    resources.close();
    notifications.close();
    channel?.close();
    serverClosed?.();
    closed.resolve();
  };
  const close = async () => {
    await handle.close();
    await closed.promise;
  };
  return { closed: closed.promise, close, [Symbol.asyncDispose]: close };
}

/** A notification may fail because the client has disconnected. */
function ignoreFailure(sent: Promise<void> | undefined): void {
  void sent?.catch(() => undefined);
}
