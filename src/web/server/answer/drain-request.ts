/**
 * Reads the rest of a request that was refused, and discards it. If the connection were closed meanwhile, its sender
 * would see a broken connection instead of the refusal.
 */
import type { IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** If the sender sends more, or more slowly, the connection is closed. */
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_MS = 2_000;

/** Resolves when nothing more comes, or when it was too much. */
export async function drainRequest(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return;
  const done = new AbortController();
  let bytes = 0;
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) done.abort();
  });
  for (const event of ["end", "close", "error"]) request.on(event, () => done.abort());
  await sleep(MAX_MS, undefined, { signal: done.signal, ref: false }).catch(() => undefined);
}
