/**
 * Which requests may go on to the server: none before `initialize` (except in the protocol of 2026, where every request
 * says for itself who asks), none under the id of one that is still running, and not too many at once.
 */
import { type JsonRpcId, type Message, NOT_A_REQUEST, type Refusal } from "./read-message.ts";

/** Far beyond what one agent asks at once. */
const MAX_RUNNING = 4_096;
/** Allowed at any time. */
const OPENINGS = ["initialize", "server/discover", "ping"];
const CLAIM = "io.modelcontextprotocol/protocolVersion";

export class Admission {
  readonly #running = new Set<JsonRpcId>();
  #isInitialized = false;

  /** What the sender is told when the message may not pass. */
  admit(message: Message): Refusal | undefined {
    const { id, method, params } = message;
    if (method === undefined) return undefined;
    if (method === "notifications/cancelled") {
      // A cancelled request is not answered, so that its id is free from here on.
      this.#running.delete(params?.["requestId"] as JsonRpcId);
    }
    if (id === undefined) return undefined;
    if (!this.#isInitialized && !OPENINGS.includes(method) && !hasClaim(message)) {
      return refuse(id, `Not initialized, so that ${method} cannot be answered. Send initialize first.`);
    }
    if (this.#running.has(id)) {
      return refuse(id, `A request with the id ${JSON.stringify(id)} is still running. Give every request its own id.`);
    }
    if (this.#running.size >= MAX_RUNNING) {
      return refuse(id, `${MAX_RUNNING} requests are running. Wait for some of their answers.`);
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

function hasClaim({ params }: Message): boolean {
  const meta = params?.["_meta"];
  return typeof meta === "object" && meta !== null && CLAIM in meta;
}
