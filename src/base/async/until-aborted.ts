import { setMaxListeners } from "node:events";
import { deferred } from "./deferred.ts";

/** The result of `done`, or a rejection with the signal's reason as soon as it aborts. `done` itself continues. */
export async function untilAborted<T>(done: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return await done;
  signal.throwIfAborted();
  // Any number of calls may share one signal, but Node warns about a leak above ten listeners.
  setMaxListeners(0, signal);
  const aborted = deferred<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([done, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
