/**
 * What is new for a caller. A call that was cancelled meanwhile is not answered: what it read is given back, before any
 * later call reads.
 */

import type { SessionService, UnreadRequest } from "../service/session-service.ts";
import type { SessionReading } from "../session/read/read-digest.ts";
import type { ToolContext } from "./define-tool.ts";

/** The last reading of each caller in each session; the next one waits for it, and for no other. */
const last = new WeakMap<SessionService, Map<string, Promise<unknown>>>();

export async function readUnread(
  context: ToolContext,
  id: number,
  options: Omit<UnreadRequest, "caller">,
): Promise<SessionReading> {
  const { sessions, caller } = context;
  const readings = last.get(sessions) ?? new Map<string, Promise<unknown>>();
  last.set(sessions, readings);
  const key = `${id} ${caller}`;
  const reading = (readings.get(key) ?? Promise.resolve()).then(() => read(context, id, options));
  const settled = reading.catch(() => undefined);
  readings.set(key, settled);
  try {
    return await reading;
  } finally {
    if (readings.get(key) === settled) readings.delete(key);
  }
}

async function read(
  { sessions, caller, signal, onRead }: ToolContext,
  id: number,
  options: Omit<UnreadRequest, "caller">,
): Promise<SessionReading> {
  signal?.throwIfAborted();
  const reading = await sessions.unread(id, { ...options, caller });
  if (signal?.aborted) {
    await sessions.giveBack(id, { caller, from: reading.from, to: reading.next });
    throw signal.reason;
  }
  onRead?.({ id, from: reading.from, cursor: reading.next });
  return reading;
}
