/** Parses one line or one HTTP body: a message for the server, or an error for the sender. Pure. */

export type JsonRpcId = string | number;

/** The fields of a JSON-RPC message that limpet uses. */
export interface Message {
  readonly jsonrpc: "2.0";
  readonly id?: JsonRpcId;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

export interface Refusal {
  readonly id: JsonRpcId | null;
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export type ReadMessage =
  | { readonly kind: "message"; readonly message: Message }
  | { readonly kind: "refused"; readonly refusal: Refusal };

const NOT_JSON = -32700;
export const NOT_THE_PROTOCOL = -32022;
export const NOT_A_REQUEST = -32600;
export const NOT_THE_PARAMETERS = -32602;

const FIELDS = ["jsonrpc", "id", "method", "params", "result", "error"];

/** `unit`: what carries one message. */
export function readMessage(text: string, unit: "line" | "request" = "line"): ReadMessage {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse(null, NOT_JSON, `This ${unit} is not JSON. Send one JSON-RPC message per ${unit}.`);
  }
  if (Array.isArray(value)) {
    return refuse(null, NOT_A_REQUEST, `Batches are not part of MCP. Send one message per ${unit}.`);
  }
  if (!isObject(value)) return refuse(null, NOT_A_REQUEST, "This is not a JSON-RPC message. Send a JSON object.");
  const id = readId(value["id"]);
  if (value["jsonrpc"] !== "2.0")
    return refuse(id ?? null, NOT_A_REQUEST, 'jsonrpc is not "2.0". Send "jsonrpc": "2.0" in every message.');
  if ("id" in value && id === undefined && !("error" in value)) {
    return refuse(null, NOT_A_REQUEST, "The id is not a string or an integer. Send one of these.");
  }
  if ("method" in value && typeof value["method"] !== "string") {
    return refuse(id ?? null, NOT_A_REQUEST, "The method is not a string. Send the name of a method.");
  }
  if (!("method" in value || "result" in value || "error" in value)) {
    return refuse(id ?? null, NOT_A_REQUEST, "The message has no method. Send the name of a method.");
  }
  if (value["params"] !== undefined && !isObject(value["params"])) {
    return refuse(id ?? null, NOT_A_REQUEST, "params is not an object. Send named parameters.");
  }
  const given = value["method"] === "tools/call" ? value["params"]?.["arguments"] : undefined;
  if (given !== undefined && given !== null && !isObject(given)) {
    return refuse(id ?? null, NOT_THE_PARAMETERS, "arguments is not an object. Send named arguments.");
  }
  // The SDK does not answer a message with unknown fields.
  const known = Object.entries(value).filter(([name]) => FIELDS.includes(name));
  return { kind: "message", message: withArguments(Object.fromEntries(known) as unknown as Message) };
}

/** Some clients send null instead of no arguments, which the SDK refuses. */
function withArguments(message: Message): Message {
  const { method, params } = message;
  if (method !== "tools/call" || params?.["arguments"] !== null) return message;
  return { ...message, params: { ...params, arguments: {} } };
}

function refuse(id: JsonRpcId | null, code: number, message: string): ReadMessage {
  return { kind: "refused", refusal: { id, code, message } };
}

function readId(id: unknown): JsonRpcId | undefined {
  return typeof id === "string" || Number.isSafeInteger(id) ? (id as JsonRpcId) : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
