/**
 * One session of a client that speaks a protocol before that of 2026: it begins with `initialize` and lasts over many
 * HTTP connections.
 *
 * A call continues when its connection breaks. The client gets the answer by asking for the messages after the last one
 * that it has. If it calls again instead, the output of answers that it has not received is unread again.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type Server, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { Admission } from "../../adapters/mcp/calls/admission.ts";
import { McpClient, type McpClientOptions, outboxOf } from "../../adapters/mcp/mcp-client.ts";
import type { JsonRpcId, Message } from "../../adapters/mcp/read-message.ts";
import { BoundedMap } from "../../base/bounded-map.ts";
import type { AnswerWatch } from "./answer-watch.ts";
import { Presence } from "./presence.ts";
import { refuse } from "./refuse.ts";
import type { Seated } from "./seats.ts";
import { type Sending, sendResponse } from "./send-response.ts";
import type { ServeOptions } from "./serve-options.ts";
import { idOf, SessionEvents } from "./session-events.ts";
import { webRequest } from "./web-request.ts";

/** The SDK's name for the stream of messages that belong to no request. */
const OWN_STREAM = "_GET_stream";
/** A client that lost its connection comes back after this time. */
const RETRY_MS = 500;
const CANCELLED = { code: -32_000, message: "The request was cancelled." };
/** Far more calls than one agent has under way at once. */
const MAX_RUNNING = 128;
/** Of running requests, and of some that have ended. */
const MAX_STREAMS: number = 2 * MAX_RUNNING;

export interface McpSessionOptions {
  readonly client: Omit<McpClientOptions, "outbox">;
  readonly watch: AnswerWatch;
  readonly prepare: ServeOptions["prepare"];
  readonly nowMs: () => number;
  readonly onClosed: (session: McpSession) => void;
}

/** One HTTP request of the client. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Undefined for GET and DELETE. */
  readonly message: Message | undefined;
}

export class McpSession implements Seated {
  readonly id: string = randomUUID();
  readonly #options: McpSessionOptions;
  readonly #presence: Presence;
  readonly #client: McpClient;
  readonly #server: Server;
  readonly #transport: WebStandardStreamableHTTPServerTransport;
  readonly #events: SessionEvents;
  readonly #admission = new Admission(MAX_RUNNING);
  /** Requests whose connection broke before the client had their answer. */
  readonly #dropped = new Set<JsonRpcId>();
  /** Those of them that run on although the client no longer waits for their answer. */
  readonly #abandoned = new Set<JsonRpcId>();
  /** The request that is being handled. */
  readonly #handled = new AsyncLocalStorage<JsonRpcId>();
  /** The request of each stream, which the SDK does not report. */
  readonly #requests = new BoundedMap<string, JsonRpcId>(MAX_STREAMS);
  /** The connection of each answer. */
  readonly #sentOver = new BoundedMap<JsonRpcId, Socket>(MAX_STREAMS);
  /** The number of the last message sent that belongs to no request. */
  #heard = 0;
  #isClosed = false;

  constructor(options: McpSessionOptions) {
    this.#options = options;
    this.#presence = new Presence(options.nowMs);
    this.#client = new McpClient({ ...options.client, outbox: outboxOf(() => this.#server) });
    this.#events = new SessionEvents({
      nowMs: options.nowMs,
      onStored: (stream) => {
        const id = this.#handled.getStore();
        if (id !== undefined && stream !== OWN_STREAM) this.#requests.set(stream, id);
      },
      onAnswer: (id) => {
        this.#admission.answered(id);
        if (this.#abandoned.has(id)) this.#giveBack(id);
      },
      onDropped: (id) => {
        if (this.#dropped.has(id)) this.#giveBack(id);
      },
    });
    this.#transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => this.id,
      eventStore: this.#events,
      retryInterval: RETRY_MS,
    });
    this.#server = this.#client.createServer();
    options.prepare?.(this.#server);
  }

  /** Call this before anything else. */
  async open(): Promise<void> {
    await this.#server.connect(this.#transport);
    const pass = this.#transport.onmessage;
    this.#transport.onmessage = (message, extra) => {
      this.#client.note(message as Message);
      pass?.(message, extra);
      this.#endCancelled(message as Message);
    };
    const closed = this.#transport.onclose;
    this.#transport.onclose = () => {
      closed?.();
      this.close();
    };
  }

  get isAbsent(): boolean {
    return this.#presence.isAbsent;
  }

  get silentMs(): number {
    return this.#presence.silentMs;
  }

  async serve(exchange: Exchange): Promise<void> {
    const isStream = exchange.request.method === "GET";
    await this.#presence.during(isStream, () => (isStream ? this.#stream(exchange) : this.#answer(exchange)));
  }

  /** Call this from time to time. */
  dropOld(): void {
    this.#events.dropOld();
  }

  /** Ends all its streams. Output that the client has not received is unread again. Programs continue. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#options.onClosed(this);
    this.#client.close();
    void this.#server.close().catch(() => undefined);
    this.#client.receipts.close();
  }

  async #answer({ request, response, message }: Exchange): Promise<void> {
    const id = message?.method === undefined ? undefined : message.id;
    const refusal = message && this.#admission.admit(message);
    if (refusal) return refuse(response, { status: 400, ...refusal });
    if (message?.method === "tools/call") this.#giveBackDropped();
    const parsedBody = message === undefined ? {} : { parsedBody: message };
    const handle = () => this.#transport.handleRequest(webRequest(request, response), parsedBody);
    const answer = await (id === undefined ? handle() : this.#handled.run(id, handle));
    if (id !== undefined && answer.status !== 200) this.#admission.answered(id);
    const sending = await sendResponse(answer, response);
    if (id === undefined || answer.status !== 200) return;
    // A stream may be closed before its answer is ready, so that the client reconnects.
    this.#noteSending(id, this.#events.hasAnswer(id) ? sending : "dropped", request);
  }

  /** Messages that belong to no request, or the rest of an answer whose connection broke. */
  async #stream({ request, response }: Exchange): Promise<void> {
    const lastId = String(request.headers["last-event-id"] ?? "") || this.#unheardFrom();
    const stream = lastId === undefined ? OWN_STREAM : await this.#events.getStreamIdForEventId(lastId);
    if (stream !== undefined) this.#closeStream(stream);
    const extra = lastId === undefined ? {} : { "last-event-id": lastId };
    const answer = await this.#transport.handleRequest(webRequest(request, response, extra));
    const sending = await sendResponse(answer, response);
    if (answer.status !== 200 || stream === undefined) return;
    if (stream === OWN_STREAM) this.#heard = this.#events.newest;
    const id = this.#events.answeredOn(stream);
    if (id !== undefined) this.#noteSending(id, sending, request);
  }

  #noteSending(id: JsonRpcId, sending: Sending, { socket }: IncomingMessage): void {
    const { receipts } = this.#client;
    if (sending === "dropped") {
      // A connection that breaks may end after the client has got its answer over another one.
      if (!this.#sentOver.has(id)) this.#dropped.add(id);
      return;
    }
    this.#dropped.delete(id);
    this.#abandoned.delete(id);
    this.#sentOver.set(id, socket);
    const given = receipts.delivered(id);
    this.#options.watch.watch(socket, () => {
      // It was sent once more, over another connection.
      if (this.#sentOver.get(id) !== socket) return;
      this.#sentOver.delete(id);
      receipts.lost(id, given);
      if (this.#isClosed) receipts.cancelled(id);
      else this.#dropped.add(id);
    });
  }

  /** A cancelled request has no answer, so its stream would stay open. */
  #endCancelled({ method, params }: Message): void {
    if (method !== "notifications/cancelled") return;
    const id = params?.["requestId"] as JsonRpcId;
    // Rejects if it was answered before.
    void this.#transport.send({ jsonrpc: "2.0", id, error: CANCELLED }).catch(() => undefined);
  }

  /**
   * The client calls again, so it no longer waits for earlier answers. The output of one that is not ready yet is given
   * back when it is: any later, output that the client has received since would be unread again, too.
   */
  #giveBackDropped(): void {
    for (const id of this.#dropped) {
      if (this.#events.hasAnswer(id)) this.#giveBack(id);
      else this.#abandoned.add(id);
    }
  }

  #giveBack(id: JsonRpcId): void {
    this.#dropped.delete(id);
    this.#abandoned.delete(id);
    this.#client.receipts.cancelled(id);
  }

  /** The id to continue from if no client received the last messages that belong to no request. */
  #unheardFrom(): string | undefined {
    return this.#events.after(this.#heard, OWN_STREAM).length > 0 ? idOf(this.#heard, OWN_STREAM) : undefined;
  }

  /** The client has lost this connection, even if that cannot be seen here. */
  #closeStream(stream: string): void {
    if (stream === OWN_STREAM) this.#transport.closeStandaloneSSEStream();
    const id = this.#requests.get(stream);
    if (id === undefined) return;
    this.#abandoned.delete(id);
    this.#transport.closeSSEStream(id);
  }
}
