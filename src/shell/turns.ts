/** One at a time, in the order of asking. */
import { setMaxListeners } from "node:events";
import { type Deferred, deferred } from "../base/deferred.ts";

export class Turns {
  readonly #waiting: Deferred<void>[] = [];
  #isTaken = false;

  get isTaken(): boolean {
    return this.#isTaken;
  }

  /** Resolves when it is the caller's turn. Rejects with the signal's reason; then the caller has none. */
  async take(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (!this.#isTaken) {
      this.#isTaken = true;
      return;
    }
    const turn = deferred<void>();
    this.#waiting.push(turn);
    if (signal) setMaxListeners(0, signal);
    const onAbort = () => {
      const at = this.#waiting.indexOf(turn);
      if (at < 0) return;
      this.#waiting.splice(at, 1);
      turn.reject(signal?.reason);
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      await turn.promise;
    } finally {
      signal?.removeEventListener("abort", onAbort);
    }
  }

  give(): void {
    const next = this.#waiting.shift();
    if (next) next.resolve();
    else this.#isTaken = false;
  }
}
