/**
 * Sends a server-sent stream. The next event is requested when the reader has consumed the last one, so a slow reader
 * never fills the memory; one that takes nothing for a long time is disconnected.
 */
import type { ServerResponse } from "node:http";
import { WEB_KEEP_ALIVE_MS, WEB_STALLED_MS } from "../../../base/web-limits.ts";
import type { StreamEvent } from "../route.ts";
import { eventText, KEEP_ALIVE, STREAM_START } from "./event-text.ts";
import { securityHeaders } from "./security-headers.ts";

const TYPE = "text/event-stream; charset=utf-8";

interface StreamTimes {
  readonly keepAliveMs: number;
  readonly stalledMs: number;
}

const TIMES: StreamTimes = { keepAliveMs: WEB_KEEP_ALIVE_MS, stalledMs: WEB_STALLED_MS };

/** Resolves when the stream has ended: by itself, or because the signal was aborted. */
export async function sendEvents(
  response: ServerResponse,
  events: AsyncIterable<StreamEvent>,
  { signal, times = TIMES }: { readonly signal: AbortSignal; readonly times?: StreamTimes },
): Promise<void> {
  response.writeHead(200, { ...securityHeaders(TYPE), "content-type": TYPE, "cache-control": "no-store" });
  response.write(STREAM_START);
  const keepAlive = setInterval(() => {
    if (!response.writableNeedDrain) response.write(KEEP_ALIVE);
  }, times.keepAliveMs);
  const over = untilAborted(signal);
  const iterator = events[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), over.promise]);
      if (next === undefined || next.done) break;
      if (!response.write(eventText(next.value)) && !(await drained(response, over.promise, times.stalledMs))) break;
    }
  } finally {
    clearInterval(keepAlive);
    over.forget();
    // Not waited for: it may be in the middle of its next event, which the same signal ends.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
    if (response.writableNeedDrain) response.destroy();
    else response.end();
  }
}

/** False if the reader is too slow, or gone. */
async function drained(response: ServerResponse, over: Promise<undefined>, stalledMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  let onDrain: (() => void) | undefined;
  try {
    const drain = new Promise<true>((resolve) => {
      onDrain = () => resolve(true);
      response.once("drain", onDrain);
    });
    const stalled = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), stalledMs);
    });
    return (await Promise.race([drain, stalled, over])) === true;
  } finally {
    clearTimeout(timer);
    if (onDrain) response.off("drain", onDrain);
  }
}

function untilAborted(signal: AbortSignal): { readonly promise: Promise<undefined>; forget(): void } {
  let onAbort: () => void = () => undefined;
  const promise = new Promise<undefined>((resolve) => {
    onAbort = () => resolve(undefined);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
  return { promise, forget: () => signal.removeEventListener("abort", onAbort) };
}
