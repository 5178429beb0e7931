/** Reads the body of a request, as long as it is small. */
import type { IncomingMessage } from "node:http";
import { MAX_WEB_BODY_BYTES } from "../../../base/web-limits.ts";
import { badRequest, type Refusal } from "../refusal.ts";
import { checkBodyHeaders, type ParsedBody, parseBody } from "./parse-body.ts";

/** Its value is undefined if there is no body. `onWanted`: called before it is read. */
export async function readBody(request: IncomingMessage, onWanted: () => void): Promise<ParsedBody> {
  const { headers } = request;
  const length = headers["content-length"];
  if (headers["transfer-encoding"] === undefined && (length === undefined || length === "0"))
    return { kind: "value", value: undefined };
  const refusal = checkBodyHeaders(headers["content-type"], headers["content-encoding"]);
  if (refusal) return refused(refusal);
  if (Number(length ?? 0) > MAX_WEB_BODY_BYTES) return tooLarge();
  onWanted();
  const bytes = await collect(request);
  if (bytes === "too large") return tooLarge();
  // The client is gone and does not read this.
  if (bytes === "broken") return refused(badRequest("The connection broke in the middle of the body. Send it again."));
  return parseBody(bytes);
}

/** Leaves the rest unread if it is too large: ending the stream would end the connection before the answer. */
function collect(request: IncomingMessage): Promise<Buffer | "too large" | "broken"> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_WEB_BODY_BYTES) chunks.push(chunk);
      else {
        request.off("data", onData);
        request.pause();
        resolve("too large");
      }
    };
    request.on("data", onData);
    request.on("end", () => resolve(Buffer.concat(chunks)));
    for (const event of ["error", "close"]) request.on(event, () => resolve("broken"));
  });
}

function tooLarge(): ParsedBody {
  return refused(badRequest(`The body has more than ${MAX_WEB_BODY_BYTES} bytes. Send less at once.`, 413));
}

function refused(refusal: Refusal): ParsedBody {
  return { kind: "refused", refusal };
}
