/**
 * What a server keeps about one client, whatever the transport: its name, how long it waits, what it subscribed to, and
 * which answers it has received.
 */
import type { Server } from "@modelcontextprotocol/server";
import { lazy } from "../../base/async/lazy.ts";
import { toolsOf } from "../../tools/profiles.ts";
import { CallLimits } from "./calls/call-limits.ts";
import { Receipts } from "./calls/receipts.ts";
import { ClientName } from "./client-name.ts";
import { createMcpServer, INSTRUCTIONS, placesNote } from "./create-mcp-server.ts";
import { type ChannelMessage, SessionChannel } from "./events/session-channel.ts";
import { SessionNotifications } from "./events/session-notifications.ts";
import { ListenRequests } from "./listen-requests.ts";
import type { McpOptions } from "./mcp-options.ts";
import { PasswordLinks } from "./questions/password-links.ts";
import type { Message } from "./read-message.ts";
import { SessionResources } from "./resources/session-resources.ts";

/** Where notifications go that belong to no request. */
export interface Outbox {
  resourceUpdated(uri: string): void;
  resourceListChanged(): void;
  log(text: string): void;
  channel(message: ChannelMessage): void;
}

export interface McpClientOptions extends Omit<McpOptions, "input" | "output" | "onError"> {
  readonly outbox: Outbox;
  /** Whether it may call tools that change something. Default true. */
  readonly mayAct?: boolean;
}

export class McpClient {
  readonly limits: CallLimits;
  readonly receipts: Receipts;
  readonly #options: McpClientOptions;
  readonly #name = new ClientName();
  readonly #caller: () => string;
  readonly #resources: SessionResources;
  readonly #notifications: SessionNotifications;
  readonly #channel: SessionChannel | undefined;
  readonly #listens: ListenRequests;
  readonly #passwords: PasswordLinks | undefined;
  readonly #takeNotice: () => string | undefined;

  constructor(options: McpClientOptions) {
    const { sessions, outbox, profile = "all", notice, caller = `mcp ${crypto.randomUUID()}` } = options;
    const { passwordLink: link, mayAct = true } = options;
    this.#options = options;
    this.#caller = typeof caller === "string" ? () => caller : lazy(() => caller(this.#name.name));
    this.limits = new CallLimits(options.maxWaitMs);
    this.receipts = this.newReceipts();
    this.#resources = new SessionResources({
      sessions,
      caller: this.#caller,
      onUpdated: (uri) => outbox.resourceUpdated(uri),
      onListChanged: () => outbox.resourceListChanged(),
    });
    this.#notifications = new SessionNotifications({ sessions, notify: (text) => outbox.log(text) });
    this.#channel =
      options.channel &&
      new SessionChannel({ ...options.channel, service: sessions, send: (message) => outbox.channel(message) });
    this.#listens = new ListenRequests(this.#resources);
    this.#passwords = link && mayAct && profile === "all" ? new PasswordLinks({ sessions, link }) : undefined;
    this.#takeNotice = onceOnly(profile === "all" ? notice : undefined);
  }

  /** For requests whose ids another request may have, too. */
  newReceipts(): Receipts {
    const ignoresLateCancel = () => this.limits.habits.cancelsAnswered;
    return new Receipts({ sessions: this.#options.sessions, caller: this.#caller, ignoresLateCancel });
  }

  /** Call this with every message of the client. */
  note(message: Message): void {
    this.#name.note(message);
    this.limits.note(message);
    this.#listens.note(message);
    this.#notifications.note(message);
    this.#channel?.note(message);
    this.receipts.note(message);
  }

  createServer(receipts: Receipts = this.receipts): Server {
    const { profile = "all", places = [], mayAct = true } = this.#options;
    return createMcpServer({
      ...this.#options,
      caller: this.#caller,
      clientName: () => this.#name.name,
      mayAct,
      resources: this.#resources,
      notifications: this.#notifications,
      channel: this.#channel,
      passwords: this.#passwords,
      receipts,
      limits: this.limits,
      takeNotice: this.#takeNotice,
      tools: toolsOf(profile, places),
      // The other profiles have no instructions, as in the agents that they imitate.
      ...(profile === "all" ? { instructions: INSTRUCTIONS + placesNote(places) } : {}),
    });
  }

  close(): void {
    this.#resources.close();
    this.#notifications.close();
    this.#channel?.close();
  }
}

/** Notifications over the connection of this server, which may not be there yet. */
export function outboxOf(server: () => Server | undefined): Outbox {
  return {
    resourceUpdated: (uri) => ignoreFailure(server()?.sendResourceUpdated({ uri })),
    resourceListChanged: () => ignoreFailure(server()?.sendResourceListChanged()),
    log: (data) => ignoreFailure(server()?.sendLoggingMessage({ level: "notice", logger: "limpet", data })),
    channel: (params) =>
      ignoreFailure(server()?.notification({ method: "notifications/claude/channel", params: { ...params } })),
  };
}

/** A notification may fail because the client has disconnected. */
function ignoreFailure(sent: Promise<void> | undefined): void {
  void sent?.catch(() => undefined);
}

function onceOnly(text: string | undefined): () => string | undefined {
  let left = text;
  return () => {
    const taken = left;
    left = undefined;
    return taken;
  };
}
