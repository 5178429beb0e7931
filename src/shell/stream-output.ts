/**
 * Hands a command's output on as it comes: all of it, in order, and nothing that jobs printed before it began.
 *
 * When the call is over, what was kept by then is handed on, too: the end of a command can be told before its last output
 * was read.
 */
import type { Page } from "../session/journal.ts";
import { pagesOf } from "../session/output-pages.ts";
import type { Session } from "../session/session.ts";
import type { Frame } from "./frame.ts";

/** Gives what ends it, which resolves when all that is there was handed on. */
export function streamOutput(session: Session, frame: Frame, onOutput: (text: string) => void): () => Promise<void> {
  const stop = new AbortController();
  const decoder = new TextDecoder();
  const give = giving(onOutput);
  let cursor = frame.from;
  const hand = (page: Page) => {
    const from = Math.max(cursor, frame.from, page.from) - page.from;
    const to = Math.max(from, (frame.to ?? page.next) - page.from);
    cursor = page.next;
    give(decoder.decode(page.bytes.subarray(from, to), { stream: true }));
  };
  const following = (async () => {
    for await (const page of session.output({ from: cursor, signal: stop.signal })) {
      // Until its beginning is told, whatever comes is not known to be its own.
      if (frame.hasStarted) hand(page);
      if (frame.to !== undefined && cursor >= frame.to) return;
    }
  })().catch(() => undefined);
  return async () => {
    stop.abort();
    await following;
    for await (const page of pagesOf(session.kept, { from: cursor, to: frame.to ?? session.endCursor })) hand(page);
    if (frame.isDone) give(decoder.decode());
  };
}

/** One that throws is not called again: that is no reason to lose the result. */
function giving(onOutput: (text: string) => void): (text: string) => void {
  let isSound = true;
  return (text) => {
    if (!isSound || text === "") return;
    try {
      onOutput(text);
    } catch {
      isSound = false;
    }
  };
}
