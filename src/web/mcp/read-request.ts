/** Reads the message of an HTTP request, or says why there is none. */
import type { IncomingMessage } from "node:http";
import { isJsonContentType } from "@modelcontextprotocol/server";
import { type Message, NOT_A_REQUEST, type Refusal, readMessage } from "../../adapters/mcp/read-message.ts";

/** More than any terminal accepts at once. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** What is answered instead, and with which status. */
export interface HttpRefusal extends Refusal {
  readonly status: number;
}

export type ReadRequest =
  | { readonly kind: "message"; readonly message: Message }
  | { readonly kind: "refused"; readonly refusal: HttpRefusal }
  /** The client has disconnected. */
  | { readonly kind: "gone" };

export async function readRequest(request: IncomingMessage): Promise<ReadRequest> {
  const { headers } = request;
  if (!isJsonContentType(headers["content-type"] ?? null)) {
    return refuse(415, "The body is not JSON. Send it with Content-Type: application/json.");
  }
  if (headers["content-encoding"] !== undefined) return refuse(415, "The body is compressed. Send it as plain JSON.");
  if (Number(headers["content-length"] ?? 0) > MAX_BODY_BYTES) return tooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request) {
      bytes += (chunk as Buffer).length;
      if (bytes > MAX_BODY_BYTES) return tooLarge();
      chunks.push(chunk as Buffer);
    }
  } catch {
    return { kind: "gone" };
  }
  const read = readMessage(Buffer.concat(chunks).toString("utf8"), "request");
  return read.kind === "message" ? read : { kind: "refused", refusal: { ...read.refusal, status: 400 } };
}

function tooLarge(): ReadRequest {
  return refuse(413, `The body has more than ${MAX_BODY_BYTES} bytes. Send it in parts.`);
}

function refuse(status: number, message: string): ReadRequest {
  return { kind: "refused", refusal: { status, id: null, code: NOT_A_REQUEST, message } };
}
