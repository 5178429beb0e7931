/** Lets any number of readers wait for "something happened", at no cost while nobody waits. */
import { type Deferred, deferred } from "../base/deferred.ts";

export class Changes {
  #next: Deferred<void> | undefined;

  announce(): void {
    this.#next?.resolve();
    this.#next = undefined;
  }

  /** Rejects with the signal's reason when it is aborted. */
  async next(signal?: AbortSignal): Promise<void> {
    this.#next ??= deferred<void>();
    if (!signal) return await this.#next.promise;
    signal.throwIfAborted();
    const aborted = deferred<void>();
    const onAbort = () => aborted.reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      await Promise.race([this.#next.promise, aborted.promise]);
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }
}
