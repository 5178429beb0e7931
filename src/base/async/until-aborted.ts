import { deferred } from "./deferred.ts";
import { onAbort } from "./on-abort.ts";

/** The result of `done`, or a rejection with the signal's reason as soon as it aborts. `done` itself continues. */
export async function untilAborted<T>(done: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return await done;
  signal.throwIfAborted();
  const aborted = deferred<never>();
  const forget = onAbort(signal, () => aborted.reject(signal.reason));
  try {
    return await Promise.race([done, aborted.promise]);
  } finally {
    forget();
  }
}
