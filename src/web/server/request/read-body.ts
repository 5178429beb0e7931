/** Reads the body of a request, as long as it is small. */
import type { IncomingMessage } from "node:http";
import { MAX_WEB_BODY_BYTES } from "../../../base/limits.ts";
import { badRequest } from "../refusal.ts";
import { checkBodyHeaders, type ParsedBody, parseBody } from "./parse-body.ts";

/** Its value is undefined if there is no body. `onWanted`: called before it is read. */
export async function readBody(request: IncomingMessage, onWanted: () => void): Promise<ParsedBody> {
  const { headers } = request;
  const length = headers["content-length"];
  if (headers["transfer-encoding"] === undefined && (length === undefined || length === "0"))
    return { kind: "value", value: undefined };
  const refusal = checkBodyHeaders(headers["content-type"], headers["content-encoding"]);
  if (refusal) return { kind: "refused", refusal };
  if (Number(length ?? 0) > MAX_WEB_BODY_BYTES) return tooLarge();
  onWanted();
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_WEB_BODY_BYTES) return tooLarge();
      chunks.push(chunk);
    }
  } catch {
    // Nobody is there any more to read this.
    return { kind: "refused", refusal: badRequest("The connection broke before the body was complete. Send it again.") };
  }
  return parseBody(Buffer.concat(chunks));
}

function tooLarge(): ParsedBody {
  const message = `The body has more than ${MAX_WEB_BODY_BYTES} bytes. Send less at once.`;
  return { kind: "refused", refusal: badRequest(message, 413) };
}
