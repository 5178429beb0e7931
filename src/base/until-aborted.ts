import { deferred } from "./deferred.ts";

/** What `done` gives, or the signal's reason as a rejection as soon as it is given. `done` itself goes on. */
export async function untilAborted<T>(done: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return await done;
  signal.throwIfAborted();
  const aborted = deferred<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([done, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
