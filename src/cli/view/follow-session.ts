/**
 * Follows what happens in a session until its program has ended and all its output was taken. Processes that it left
 * behind may still print; nobody waits for them.
 */
import type { Exit } from "../../base/exit.ts";
import type { SessionService } from "../../service/session-service.ts";
import { untilExited } from "../../service/turn/simple-turns.ts";
import type { TranscriptPart } from "../../session/transcript.ts";

interface Following {
  readonly from: number;
  readonly signal: AbortSignal;
  readonly take: (part: TranscriptPart) => void | Promise<void>;
}

/** Rejects with the signal's reason when it aborts, and with `HOST_GONE` if the host dies. */
export async function followSession(
  sessions: SessionService,
  id: number,
  { from, signal, take }: Following,
): Promise<Exit | undefined> {
  const done = new AbortController();
  let takenTo = from;
  let last = Number.POSITIVE_INFINITY;
  const stopWhenTaken = () => void (takenTo >= last && done.abort());
  const exited = untilExited(sessions, id, signal).then(async () => {
    const { exit, outputBytes } = await sessions.find(id);
    last = outputBytes;
    stopWhenTaken();
    return exit ?? undefined;
  });
  // An error there also appears here.
  exited.catch(() => done.abort());
  try {
    const parts = sessions.transcript(id, { from, signal: AbortSignal.any([signal, done.signal]) });
    for await (const part of parts) {
      await take(part);
      if (part.kind === "output") takenTo = part.page.next;
      stopWhenTaken();
    }
  } catch (error) {
    if (!done.signal.aborted) throw error;
  }
  return await exited;
}
