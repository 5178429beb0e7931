/** Streams the output of a command while it runs: each piece once, as uncleaned text. */
import { untilAborted } from "../base/async/until-aborted.ts";
import type { Session } from "../session/session.ts";
import type { Frame } from "./frame/frame.ts";

/** Returns a function that stops the stream once all output so far was passed on. */
export function streamOutput(session: Session, frame: Frame, onOutput: (text: string) => void): () => Promise<void> {
  const stop = new AbortController();
  let stopAt = Number.POSITIVE_INFINITY;
  const last = () => frame.to ?? stopAt;
  const pass = guarded(onOutput);
  const streaming = (async () => {
    await untilAborted(frame.started, stop.signal);
    frame.streamed ??= { to: frame.from, decoder: new TextDecoder() };
    const { streamed } = frame;
    if (streamed.to >= last()) return;
    for await (const page of session.output({ from: streamed.to, signal: stop.signal })) {
      const bytes = page.bytes.subarray(0, Math.max(0, last() - page.from));
      streamed.to = Math.min(page.next, last());
      pass(streamed.decoder.decode(bytes, { stream: true }));
      if (page.next >= last()) return;
    }
  })();
  streaming.catch(() => undefined);
  return async () => {
    stopAt = session.endCursor;
    // Otherwise the stream would wait for more output, if all of it was passed on or the command has not started.
    if (!frame.hasStarted || (frame.streamed?.to ?? frame.from) >= last()) stop.abort();
    await streaming.catch((error: unknown) => {
      if (!stop.signal.aborted) throw error;
    });
    // The rest of an incomplete character.
    if (frame.isDone && frame.streamed) pass(frame.streamed.decoder.decode());
  };
}

/** After the listener has thrown, it is not called again, and the command keeps its result. */
function guarded(onOutput: (text: string) => void): (text: string) => void {
  let hasThrown = false;
  return (text) => {
    if (hasThrown || text === "") return;
    try {
      onOutput(text);
    } catch {
      hasThrown = true;
    }
  };
}
