/** Merges the events of several services into one stream. */
import { setTimeout as sleep } from "node:timers/promises";
import { deferred } from "../../base/async/deferred.ts";
import { onAbort } from "../../base/async/on-abort.ts";
import type { EventPage } from "../../service/events/session-event.ts";

/** The pause before limpet opens a broken stream again. */
const RETRY_MS = 5_000;

/** A stream of events that ends with the signal. */
export type EventSource = (signal: AbortSignal) => AsyncIterable<EventPage>;

interface Merged {
  /** The merged stream ends with this source, and fails if it fails. */
  readonly main: EventSource;
  /**
   * Called once with a function that adds a source. A source that breaks is opened again. Returns a function that stops
   * adding.
   */
  readonly others: (add: (source: EventSource) => void) => () => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Holds at most one page of each source, so that with a slow reader the sources themselves drop events and count them.
 */
export async function* mergeEvents({ main, others, signal }: Merged): AsyncGenerator<EventPage, void, undefined> {
  const stop = new AbortController();
  if (signal?.aborted) stop.abort(signal.reason);
  const forget = onAbort(signal, () => stop.abort(signal?.reason));
  const waiting: { readonly page: EventPage; readonly taken: () => void }[] = [];
  let wake = deferred<void>();
  let end: { readonly error?: unknown } | undefined;
  const pump = async (source: EventSource) => {
    for await (const page of source(stop.signal)) {
      const { promise, resolve } = deferred<void>();
      waiting.push({ page, taken: resolve });
      wake.resolve();
      await promise;
    }
  };
  const finish = (outcome: { readonly error?: unknown }) => {
    end ??= outcome;
    wake.resolve();
  };
  pump(main).then(
    () => finish({}),
    (error: unknown) => finish({ error }),
  );
  const stopAdding = others((source) => void keepUp(() => pump(source), stop.signal));
  try {
    for (;;) {
      const next = waiting.shift();
      if (next) {
        yield next.page;
        next.taken();
      } else if (end) break;
      else {
        await wake.promise;
        wake = deferred<void>();
      }
    }
    if ("error" in end) throw end.error;
  } finally {
    stopAdding();
    forget();
    stop.abort();
    for (const { taken } of waiting) taken();
  }
}

async function keepUp(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await work().catch(() => undefined);
    await sleep(RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
