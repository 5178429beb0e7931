/** One event of a server-sent stream, as the text that is sent. Pure. */
import type { StreamEvent } from "../route.ts";

/** Browsers connect again after this long. */
export const STREAM_START = "retry: 1000\n\n";
/** A comment, which readers skip. It shows both sides that the connection is alive. */
export const KEEP_ALIVE = ":\n\n";

export function eventText({ event, id, data }: StreamEvent): string {
  if (/[\r\n\0]/.test(`${event}${id ?? ""}`)) throw new Error("An event's name and id are one line each.");
  // JSON has no raw line feeds, so the data is one line.
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
