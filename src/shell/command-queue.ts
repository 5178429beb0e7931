/** One at a time, in the order of asking. */
import { setMaxListeners } from "node:events";
import { type Deferred, deferred } from "../base/deferred.ts";

export interface QueueOptions {
  readonly signal?: AbortSignal | undefined;
  /** How long to wait, and why not longer. Default: without a limit. */
  readonly limit?: { readonly ms: number; readonly error: () => Error } | undefined;
}

export class CommandQueue {
  readonly #waiting: Deferred<void>[] = [];
  #isTaken = false;

  get isTaken(): boolean {
    return this.#isTaken;
  }

  get hasWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Resolves when it is the caller's turn. Rejects with the signal's reason, or at the limit; then the caller has none. */
  async take({ signal, limit }: QueueOptions = {}): Promise<void> {
    signal?.throwIfAborted();
    if (!this.#isTaken) {
      this.#isTaken = true;
      return;
    }
    const turn = deferred<void>();
    this.#waiting.push(turn);
    if (signal) setMaxListeners(0, signal);
    const onAbort = () => this.#leave(turn, signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    const timer = limit && setTimeout(() => this.#leave(turn, limit.error()), limit.ms);
    try {
      await turn.promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    }
  }

  give(): void {
    const next = this.#waiting.shift();
    if (next) next.resolve();
    else this.#isTaken = false;
  }

  /** Whoever waits does so in vain. */
  refuse(error: () => Error): void {
    for (const turn of this.#waiting.splice(0)) turn.reject(error());
  }

  #leave(turn: Deferred<void>, reason: unknown): void {
    const at = this.#waiting.indexOf(turn);
    if (at < 0) return;
    this.#waiting.splice(at, 1);
    turn.reject(reason);
  }
}
