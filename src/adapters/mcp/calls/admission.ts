/**
 * Decides which requests the server may handle: none before `initialize` (except in the protocol of 2026, where every
 * request names its protocol instead), none with the id of a running request, and not too many at once.
 */
import {
  type JsonRpcId,
  type Message,
  NOT_A_REQUEST,
  NOT_THE_PARAMETERS,
  NOT_THE_PROTOCOL,
  type Refusal,
} from "../read-message.ts";

/** Far more than one agent sends at once. */
const MAX_RUNNING = 4_096;
/** Allowed before `initialize`. */
const BEFORE_INITIALIZE = ["initialize", "ping"];
/** The protocols that a request can name. The SDK looks only at the first request of a connection. */
const PROTOCOLS: readonly unknown[] = ["2026-07-28"];
/** Exists only in the protocol of 2026. */
const DISCOVER = "server/discover";
const PROTOCOL_FIELD = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_FIELD = "io.modelcontextprotocol/clientCapabilities";

export class Admission {
  readonly #running = new Set<JsonRpcId>();
  #isInitialized = false;
  /** A request has named its protocol, so this client speaks that of 2026. */
  #isModern = false;
  readonly #maxRunning: number;

  constructor(maxRunning: number = MAX_RUNNING) {
    this.#maxRunning = maxRunning;
  }

  /** The error for the sender; undefined if the message may pass. */
  admit(message: Message): Refusal | undefined {
    const { id, method, params } = message;
    if (method === undefined) return undefined;
    if (method === "notifications/cancelled") {
      // A cancelled request gets no answer, so its id is free from now on.
      this.#running.delete(params?.["requestId"] as JsonRpcId);
    }
    if (id === undefined) return undefined;
    const protocol = protocolOf(message);
    const isNamed = protocol !== undefined;
    if (typeof protocol === "string" && !this.#isInitialized && !PROTOCOLS.includes(protocol)) {
      return unknownProtocol(id, protocol);
    }
    if (!this.#isInitialized && !isNamed && !BEFORE_INITIALIZE.includes(method)) {
      return this.#isModern || method === DISCOVER ? withoutProtocol(id, method) : notInitialized(id, method);
    }
    if (this.#running.has(id)) {
      return refuse(
        id,
        `A request with the id ${JSON.stringify(id)} is still running. Use a new id for every request.`,
      );
    }
    if (this.#running.size >= this.#maxRunning) {
      return refuse(id, `${this.#maxRunning} requests are already running. Wait until one of them is answered.`);
    }
    if (method === "initialize") this.#isInitialized = true;
    if (isNamed) this.#isModern = true;
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

function notInitialized(id: JsonRpcId, method: string): Refusal {
  return refuse(id, `The server is not initialized and cannot answer ${method}. Send initialize first.`);
}

function withoutProtocol(id: JsonRpcId, method: string): Refusal {
  const message = `${method} does not name its protocol. Put ${PROTOCOL_FIELD} and ${CAPABILITIES_FIELD} into _meta.`;
  return { id, code: NOT_THE_PARAMETERS, message };
}

function unknownProtocol(id: JsonRpcId, requested: string): Refusal {
  const message = `This server does not speak the protocol ${JSON.stringify(requested)}. Use ${PROTOCOLS.join(" or ")}.`;
  return { id, code: NOT_THE_PROTOCOL, message, data: { supported: PROTOCOLS, requested } };
}

function protocolOf({ params }: Message): unknown {
  const meta = params?.["_meta"];
  return typeof meta === "object" && meta !== null
    ? (meta as Readonly<Record<string, unknown>>)[PROTOCOL_FIELD]
    : undefined;
}
