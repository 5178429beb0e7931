/**
 * The messages of one MCP session that its client can ask for again after a broken connection, by the id of the last
 * one that it has. Old ones are dropped: an answer that its client has not received by then is reported.
 */
import { type EventStore, isJSONRPCResponse, type JSONRPCMessage } from "@modelcontextprotocol/server";
import type { JsonRpcId } from "../../adapters/mcp/read-message.ts";

/** Far longer than a client waits before it comes back. */
const KEPT_MS = 10 * 60_000;
/** Several of the longest answers. The newest message is kept whatever its size. */
const MAX_BYTES = 4 * 1024 * 1024;
/** As many as the progress messages of a call in half an hour. */
const MAX_EVENTS = 1_024;

interface StoredEvent {
  readonly number: number;
  readonly stream: string;
  readonly message: JSONRPCMessage;
  readonly bytes: number;
  readonly atMs: number;
}

export interface SessionEventsOptions {
  /** Called with the stream of every message. */
  readonly onStored: (stream: string) => void;
  /** This answer can be asked for from now on. */
  readonly onAnswer: (id: JsonRpcId) => void;
  /** This answer can no longer be requested. */
  readonly onDropped: (id: JsonRpcId) => void;
  readonly nowMs: () => number;
}

export class SessionEvents implements EventStore {
  readonly #options: SessionEventsOptions;
  #events: StoredEvent[] = [];
  #bytes = 0;
  #count = 0;

  constructor(options: SessionEventsOptions) {
    this.#options = options;
  }

  async storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    this.#count += 1;
    const number = this.#count;
    const bytes = JSON.stringify(message).length;
    this.#events.push({ number, stream, message, bytes, atMs: this.#options.nowMs() });
    this.#bytes += bytes;
    this.#options.onStored(stream);
    const answered = answerId(message);
    if (answered !== undefined) this.#options.onAnswer(answered);
    this.dropOld();
    return idOf(number, stream);
  }

  async getStreamIdForEventId(id: string): Promise<string | undefined> {
    const event = parseId(id);
    return event && this.#events.some(({ stream }) => stream === event.stream) ? event.stream : undefined;
  }

  async replayEventsAfter(
    lastId: string,
    { send }: { readonly send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const last = parseId(lastId);
    if (!last)
      throw new Error(`The event id ${JSON.stringify(lastId)} is not from this server. Connect without Last-Event-ID.`);
    for (const { number, stream, message } of this.after(last.number, last.stream)) {
      await send(idOf(number, stream), message);
    }
    return last.stream;
  }

  /** The number of the newest message. */
  get newest(): number {
    return this.#count;
  }

  after(number: number, stream: string): readonly StoredEvent[] {
    return this.#events.filter((event) => event.stream === stream && event.number > number);
  }

  /** The request whose answer was sent over this stream; undefined if there is none, or none yet. */
  answeredOn(stream: string): JsonRpcId | undefined {
    for (const event of this.#events) {
      const id = event.stream === stream ? answerId(event.message) : undefined;
      if (id !== undefined) return id;
    }
    return undefined;
  }

  hasAnswer(id: JsonRpcId): boolean {
    return this.#events.some(({ message }) => answerId(message) === id);
  }

  /** Call this from time to time. */
  dropOld(): void {
    const oldestMs = this.#options.nowMs() - KEPT_MS;
    while (this.#events.length > 1) {
      const [first] = this.#events;
      const isKept = this.#events.length <= MAX_EVENTS && this.#bytes <= MAX_BYTES && (first?.atMs ?? 0) >= oldestMs;
      if (!first || isKept) return;
      this.#events.shift();
      this.#bytes -= first.bytes;
      const id = answerId(first.message);
      if (id !== undefined) this.#options.onDropped(id);
    }
  }
}

/** The id under which a client asks for what follows this message. */
export function idOf(number: number, stream: string): string {
  return `${number}-${stream}`;
}

function parseId(id: string): Pick<StoredEvent, "number" | "stream"> | undefined {
  const [, number, stream] = /^(\d{1,15})-(.{1,100})$/.exec(id) ?? [];
  return number === undefined || stream === undefined ? undefined : { number: Number(number), stream };
}

function answerId(message: JSONRPCMessage): JsonRpcId | undefined {
  return isJSONRPCResponse(message) ? (message.id ?? undefined) : undefined;
}
