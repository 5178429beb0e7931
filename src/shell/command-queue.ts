/** Runs one command at a time in a shell, in the order of the calls. */
import { type Deferred, deferred } from "../base/async/deferred.ts";
import { onAbort } from "../base/async/on-abort.ts";

export interface QueueOptions {
  readonly signal?: AbortSignal | undefined;
  /** How long to wait in the queue, and the error after that. Default: no limit. */
  readonly limit?: { readonly ms: number; readonly error: () => Error } | undefined;
}

export class CommandQueue {
  readonly #waiting: Deferred<void>[] = [];
  #isBusy = false;

  get isBusy(): boolean {
    return this.#isBusy;
  }

  get hasWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Resolves when the caller may run its command. Rejects with the signal's reason, or at the limit. */
  async acquire({ signal, limit }: QueueOptions = {}): Promise<void> {
    signal?.throwIfAborted();
    if (!this.#isBusy) {
      this.#isBusy = true;
      return;
    }
    const entry = deferred<void>();
    this.#waiting.push(entry);
    const forget = onAbort(signal, () => this.#leave(entry, signal?.reason));
    const timer = limit && setTimeout(() => this.#leave(entry, limit.error()), limit.ms);
    try {
      await entry.promise;
    } finally {
      clearTimeout(timer);
      forget();
    }
  }

  /** Lets the next call run. */
  release(): void {
    const next = this.#waiting.shift();
    if (next) next.resolve();
    else this.#isBusy = false;
  }

  /** Rejects all queued calls. */
  rejectWaiting(error: () => Error): void {
    for (const entry of this.#waiting.splice(0)) entry.reject(error());
  }

  #leave(entry: Deferred<void>, reason: unknown): void {
    const at = this.#waiting.indexOf(entry);
    if (at < 0) return;
    this.#waiting.splice(at, 1);
    entry.reject(reason);
  }
}
