/**
 * Decides which requests the server may handle: none before `initialize` (except in the protocol of 2026, where every
 * request names its client), none with the id of a running request, and not too many at once.
 */
import { type JsonRpcId, type Message, NOT_A_REQUEST, type Refusal } from "./read-message.ts";

/** Far more than one agent sends at once. */
const MAX_RUNNING = 4_096;
/** Allowed before `initialize`. */
const BEFORE_INITIALIZE = ["initialize", "server/discover", "ping"];
const PROTOCOL_FIELD = "io.modelcontextprotocol/protocolVersion";

export class Admission {
  readonly #running = new Set<JsonRpcId>();
  #isInitialized = false;

  /** The error for the sender; undefined if the message may pass. */
  admit(message: Message): Refusal | undefined {
    const { id, method, params } = message;
    if (method === undefined) return undefined;
    if (method === "notifications/cancelled") {
      // A cancelled request gets no answer, so its id is free from now on.
      this.#running.delete(params?.["requestId"] as JsonRpcId);
    }
    if (id === undefined) return undefined;
    if (!this.#isInitialized && !BEFORE_INITIALIZE.includes(method) && !namesProtocol(message)) {
      return refuse(id, `The server is not initialized and cannot answer ${method}. Send initialize first.`);
    }
    if (this.#running.has(id)) {
      return refuse(
        id,
        `A request with the id ${JSON.stringify(id)} is still running. Use a new id for every request.`,
      );
    }
    if (this.#running.size >= MAX_RUNNING) {
      return refuse(id, `${MAX_RUNNING} requests are running. Wait for some of the answers.`);
    }
    if (method === "initialize") this.#isInitialized = true;
    this.#running.add(id);
    return undefined;
  }

  answered(id: JsonRpcId): void {
    this.#running.delete(id);
  }
}

function refuse(id: JsonRpcId, message: string): Refusal {
  return { id, code: NOT_A_REQUEST, message };
}

function namesProtocol({ params }: Message): boolean {
  const meta = params?.["_meta"];
  return typeof meta === "object" && meta !== null && PROTOCOL_FIELD in meta;
}
