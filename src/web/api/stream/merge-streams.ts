/** Several streams as one, in the order in which their values arrive. Each waits until its value was taken. */
import { deferred } from "../../../base/async/deferred.ts";

/** A stream that ends when the signal aborts. */
export type Source<T> = (signal: AbortSignal) => AsyncIterable<T>;

/** Ends when all have ended, or with the first error. Leaving it ends them all. */
export async function* mergeStreams<T>(
  sources: readonly Source<T>[],
  signal: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  const stop = new AbortController();
  const waiting: { readonly value: T; readonly taken: () => void }[] = [];
  let wake = deferred<void>();
  const onAbort = () => {
    stop.abort(signal.reason);
    wake.resolve();
  };
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  let running = sources.length;
  let failure: { readonly error: unknown } | undefined;
  const pump = async (source: Source<T>) => {
    for await (const value of source(stop.signal)) {
      const { promise, resolve } = deferred<void>();
      waiting.push({ value, taken: resolve });
      wake.resolve();
      await promise;
      if (stop.signal.aborted) return;
    }
  };
  for (const source of sources) {
    pump(source)
      .catch((error: unknown) => {
        if (!stop.signal.aborted) failure ??= { error };
      })
      .finally(() => {
        running -= 1;
        wake.resolve();
      });
  }
  try {
    for (;;) {
      const next = waiting.shift();
      if (next) {
        yield next.value;
        next.taken();
      } else if (failure) throw failure.error;
      else if (running === 0 || stop.signal.aborted) return;
      else {
        await wake.promise;
        wake = deferred<void>();
      }
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    stop.abort();
    for (const { taken } of waiting) taken();
  }
}
