/** Lets any number of readers wait for the next change. Costs nothing while no reader waits. */
import { deferred } from "../base/async/deferred.ts";
import { onAbort } from "../base/async/on-abort.ts";

interface NextOptions {
  readonly signal?: AbortSignal | undefined;
  /** Resolve at this time at the latest, on the clock of `performance.now()`. Default: never. */
  readonly atMs?: number | undefined;
}

/** The longest delay of a Node timer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export class Changes {
  readonly #waiting = new Set<() => void>();

  announce(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  /** Resolves at the next change, or at `atMs`. Rejects with the signal's reason when it aborts. */
  async next({ signal, atMs = Number.POSITIVE_INFINITY }: NextOptions = {}): Promise<void> {
    signal?.throwIfAborted();
    // Each call has its own promise: a shared one would keep a reference to every waiter.
    const { promise, resolve, reject } = deferred<void>();
    this.#waiting.add(resolve);
    const forget = onAbort(signal, () => reject(signal?.reason));
    const stop = atMs === Number.POSITIVE_INFINITY ? undefined : wakeAt(atMs, resolve);
    try {
      await promise;
    } finally {
      stop?.();
      this.#waiting.delete(resolve);
      forget();
    }
  }
}

function wakeAt(atMs: number, wake: () => void): () => void {
  const inMs = atMs - performance.now();
  if (inMs > 0) {
    const timer = setTimeout(wake, Math.min(Math.ceil(inMs), LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  }
  // A timer takes at least a millisecond; an immediate fires in the next turn of the event loop.
  const immediate = setImmediate(wake);
  return () => clearImmediate(immediate);
}
