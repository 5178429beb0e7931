/**
 * The clients of one token that speak the protocol of 2026. Their requests are independent, and all of them call under
 * one name. A request whose connection ends is cancelled: its output is unread again.
 */
import { randomUUID } from "node:crypto";
import { createMcpHandler, InMemoryServerEventBus, type McpHttpHandler } from "@modelcontextprotocol/server";
import type { Receipts } from "../../adapters/mcp/calls/receipts.ts";
import { McpClient } from "../../adapters/mcp/mcp-client.ts";
import { NOT_A_REQUEST } from "../../adapters/mcp/read-message.ts";
import type { Exchange, McpSessionOptions } from "./mcp-session.ts";
import { Presence } from "./presence.ts";
import { refuse } from "./refuse.ts";
import type { Seated } from "./seats.ts";
import { sendResponse } from "./send-response.ts";
import { webRequest } from "./web-request.ts";

/** Far more than the agents of one token have under way at once. */
const MAX_RUNNING = 256;

export interface StatelessClientOptions extends Omit<McpSessionOptions, "onClosed"> {
  readonly onClosed: (client: StatelessClient) => void;
}

export class StatelessClient implements Seated {
  readonly #options: StatelessClientOptions;
  readonly #presence: Presence;
  readonly #client: McpClient;
  readonly #handler: McpHttpHandler;
  /** Several requests can have the same id, so each has its own. */
  readonly #receipts = new WeakMap<Request, Receipts>();
  #running = 0;
  #isClosed = false;

  constructor(options: StatelessClientOptions) {
    this.#options = options;
    this.#presence = new Presence(options.nowMs);
    const bus = new InMemoryServerEventBus();
    this.#client = new McpClient({
      ...options.client,
      outbox: {
        resourceUpdated: (uri) => bus.publish({ kind: "resource_updated", uri }),
        resourceListChanged: () => bus.publish({ kind: "resources_list_changed" }),
        // This protocol has no messages that belong to no request, except to subscribers.
        log: () => undefined,
        channel: () => undefined,
      },
    });
    this.#handler = createMcpHandler(
      ({ requestInfo }) => {
        const server = this.#client.createServer(requestInfo && this.#receipts.get(requestInfo));
        options.prepare?.(server, (event) => bus.publish(event));
        return server;
      },
      { legacy: "reject", bus },
    );
  }

  get isAbsent(): boolean {
    return this.#presence.isAbsent;
  }

  get silentMs(): number {
    return this.#presence.silentMs;
  }

  async serve(exchange: Exchange): Promise<void> {
    const { response, message } = exchange;
    if (this.#running >= MAX_RUNNING) {
      const text = `${MAX_RUNNING} requests are already running. Wait until one of them is answered.`;
      return refuse(response, { status: 429, id: message?.id ?? null, code: NOT_A_REQUEST, message: text });
    }
    this.#running += 1;
    try {
      await this.#presence.during(false, () => this.#answer(exchange));
    } finally {
      this.#running -= 1;
    }
  }

  /** Ends all its streams. Programs continue. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#options.onClosed(this);
    this.#client.close();
    void this.#handler.close().catch(() => undefined);
  }

  async #answer({ request, response, message }: Exchange): Promise<void> {
    if (!message) return;
    const { watch } = this.#options;
    const web = webRequest(request, response);
    const receipts = this.#client.newReceipts();
    this.#receipts.set(web, receipts);
    const key = randomUUID();
    this.#client.note(message.id === undefined ? message : { ...message, id: key });
    const answer = await this.#handler.fetch(web, { parsedBody: message });
    const sending = await sendResponse(answer, response);
    // Ends its subscriptions.
    this.#client.note({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: key } });
    const { id } = message;
    if (id === undefined) return;
    if (sending === "dropped") receipts.cancelled(id);
    else {
      const given = receipts.delivered(id);
      watch.watch(request.socket, () => {
        receipts.lost(id, given);
        receipts.cancelled(id);
      });
    }
  }
}
