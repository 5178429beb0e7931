/** Parses one line: a request, or an error for its sender. Pure. */
import { MAX_HOST_LINE_BYTES } from "../../base/limits.ts";
import type { ReceivedLine } from "../json-lines.ts";
import { NOT_A_REQUEST, NOT_JSON, type RpcFailure, type RpcRequest } from "../protocol.ts";

export type ReadRequest =
  | { readonly kind: "request"; readonly request: RpcRequest }
  | { readonly kind: "refused"; readonly error: RpcFailure };

export function readRequest(line: ReceivedLine): ReadRequest {
  if (line.kind === "not JSON") return refuse(NOT_JSON, "This line is not JSON. Send one JSON-RPC message per line.");
  if (line.kind === "too long") {
    return refuse(NOT_A_REQUEST, `The message has more than ${MAX_HOST_LINE_BYTES} bytes. Send it in parts.`);
  }
  if (isRequest(line.value)) return { kind: "request", request: line.value };
  return refuse(NOT_A_REQUEST, "This is not a JSON-RPC 2.0 request. Send one with a method and an integer id.");
}

function refuse(code: number, message: string): ReadRequest {
  return { kind: "refused", error: { code, message } };
}

function isRequest(value: unknown): value is RpcRequest {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const { jsonrpc, id, method } = value as Partial<RpcRequest>;
  return jsonrpc === "2.0" && typeof method === "string" && (id === undefined || Number.isSafeInteger(id));
}
