/** Sends the answer of the MCP SDK over a connection of `node:http`. */
import type { ServerResponse } from "node:http";

/** A client with this much unread data does not read at all. */
const MAX_UNREAD_BYTES = 8 * 1024 * 1024;

/** `sent`: the kernel has all of it. `dropped`: the connection ended before. */
export type Sending = "sent" | "dropped";

export async function sendResponse(answer: Response, response: ServerResponse): Promise<Sending> {
  const reader = answer.body?.getReader();
  const ended = new Promise<Sending>((resolve) => {
    response.once("finish", () => resolve("sent"));
    response.once("close", () => {
      // Ends the reading below; the answer is dropped, or kept for later.
      void reader?.cancel().catch(() => undefined);
      resolve(response.writableFinished ? "sent" : "dropped");
    });
  });
  if (response.destroyed) {
    await reader?.cancel().catch(() => undefined);
    return "dropped";
  }
  // Whether the connection is kept is between Node and the client.
  answer.headers.delete("connection");
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.flushHeaders();
  try {
    if (reader) await pass(reader, response);
  } catch {
    // An incomplete answer must not look complete.
    response.destroy();
  }
  if (!response.destroyed) response.end();
  return await ended;
}

async function pass(reader: ReadableStreamDefaultReader<Uint8Array>, response: ServerResponse): Promise<void> {
  for (;;) {
    const { done, value } = await reader.read();
    if (done || response.destroyed) return;
    response.write(value);
    if (response.writableLength > MAX_UNREAD_BYTES) response.destroy();
  }
}
