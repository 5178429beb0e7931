/**
 * Follows what happens in a session until its program has ended and all its output was taken. Processes that it left
 * behind may still print; limpet does not wait for them.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Exit } from "../../base/exit.ts";
import { isLinkError } from "../../host/client/resumed-stream.ts";
import type { SessionKey } from "../../service/listing/session-name.ts";
import type { SessionService } from "../../service/session-service.ts";
import { untilExited } from "../../service/turn/simple-turns.ts";
import type { TranscriptPart } from "../../session/transcript-part.ts";

/** Short, because a call itself waits a minute for the link. */
const ASK_AGAIN_MS = 1_000;

interface Following {
  readonly from: number;
  readonly signal: AbortSignal;
  readonly take: (part: TranscriptPart) => void | Promise<void>;
}

/** Rejects with the signal's reason when it aborts, and with `HOST_GONE` if the host dies. */
export async function followSession(
  sessions: SessionService,
  key: SessionKey,
  { from, signal, take }: Following,
): Promise<Exit | undefined> {
  const done = new AbortController();
  const failed = new AbortController();
  let takenTo = from;
  let last = Number.POSITIVE_INFINITY;
  const stopWhenTaken = () => void (takenTo >= last && done.abort());
  const waiting = AbortSignal.any([signal, failed.signal]);
  const exited = whileLinked(waiting, async () => {
    await untilExited(sessions, key, waiting);
    const { exit, outputBytes } = await sessions.find(key);
    last = outputBytes;
    stopWhenTaken();
    return exit ?? undefined;
  });
  // The error is thrown below, where `exited` is awaited.
  exited.catch(() => done.abort());
  try {
    const parts = sessions.transcript(key, { from, signal: AbortSignal.any([signal, done.signal]) });
    for await (const part of parts) {
      await take(part);
      if (part.kind === "output") takenTo = part.page.next;
      stopWhenTaken();
    }
  } catch (error) {
    if (done.signal.aborted) return await exited;
    failed.abort();
    throw error;
  }
  return await exited;
}

/** Asks again over the next link. The stream decides when to give up on the link. */
async function whileLinked<T>(signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (signal.aborted || !isLinkError(error)) throw error;
      await sleep(ASK_AGAIN_MS, undefined, { signal });
    }
  }
}
