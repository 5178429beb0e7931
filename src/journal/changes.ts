/** Lets any number of readers wait for "something happened", at no cost while nobody waits. */
import { setMaxListeners } from "node:events";
import { deferred } from "../base/deferred.ts";

interface NextOptions {
  readonly signal?: AbortSignal | undefined;
  /** Come back at this time at the latest, on the clock of `performance.now()`. Default: never. */
  readonly atMs?: number | undefined;
}

/** The longest that a timer of Node's can be set to. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export class Changes {
  readonly #waiting = new Set<() => void>();

  announce(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  /** Resolves at the next change, or at `atMs`. Rejects with the signal's reason when it is aborted. */
  async next({ signal, atMs = Number.POSITIVE_INFINITY }: NextOptions = {}): Promise<void> {
    signal?.throwIfAborted();
    // Any number may wait with one signal: Node takes more than ten listeners for a leak, and says so aloud.
    if (signal) setMaxListeners(0, signal);
    // A promise of its own for each call: one that all shared would hold on to everybody who ever waited for it.
    const { promise, resolve, reject } = deferred<void>();
    const onAbort = () => reject(signal?.reason);
    this.#waiting.add(resolve);
    signal?.addEventListener("abort", onAbort, { once: true });
    const stop = atMs === Number.POSITIVE_INFINITY ? undefined : wakeAt(atMs, resolve);
    try {
      await promise;
    } finally {
      stop?.();
      this.#waiting.delete(resolve);
      signal?.removeEventListener("abort", onAbort);
    }
  }
}

function wakeAt(atMs: number, wake: () => void): () => void {
  const inMs = atMs - performance.now();
  if (inMs > 0) {
    const timer = setTimeout(wake, Math.min(Math.ceil(inMs), LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  }
  // A timer cannot be shorter than a millisecond; a turn of the loop can.
  const immediate = setImmediate(wake);
  return () => clearImmediate(immediate);
}
