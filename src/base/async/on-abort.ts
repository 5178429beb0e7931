import { setMaxListeners } from "node:events";

/** Calls `act` once when the signal aborts, and never without a signal. Returns a function that stops it. */
export function onAbort(signal: AbortSignal | undefined, act: () => void): () => void {
  if (!signal) return () => undefined;
  // Any number of calls may share one signal, but Node warns about a leak above ten listeners.
  setMaxListeners(0, signal);
  signal.addEventListener("abort", act, { once: true });
  return () => signal.removeEventListener("abort", act);
}
