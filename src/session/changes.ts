/** Lets any number of readers wait for "something happened", at no cost while nobody waits. */
import { type Deferred, deferred } from "../base/deferred.ts";

interface NextOptions {
  readonly signal?: AbortSignal | undefined;
  /** Come back at this time at the latest, on the clock of `performance.now()`. Default: never. */
  readonly atMs?: number | undefined;
}

/** The longest that a timer of Node's can be set to. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export class Changes {
  #next: Deferred<void> | undefined;

  announce(): void {
    this.#next?.resolve();
    this.#next = undefined;
  }

  /** Resolves at the next change, or at `atMs`. Rejects with the signal's reason when it is aborted. */
  async next({ signal, atMs = Number.POSITIVE_INFINITY }: NextOptions = {}): Promise<void> {
    this.#next ??= deferred<void>();
    if (!signal && atMs === Number.POSITIVE_INFINITY) return await this.#next.promise;
    signal?.throwIfAborted();
    const other = deferred<void>();
    const onAbort = () => other.reject(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    const stop = wakeAt(atMs, other.resolve);
    try {
      await Promise.race([this.#next.promise, other.promise]);
    } finally {
      stop();
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
