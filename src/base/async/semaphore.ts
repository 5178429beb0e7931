/** Limits how many tasks run at once; the others wait in order. */

import { onAbort } from "./on-abort.ts";

export class Semaphore {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(most: number) {
    this.#free = most;
  }

  async pass<T>(work: () => Promise<T>): Promise<T> {
    const leave = await this.enter();
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /**
   * Resolves when the task may run, with a function to call when it has ended; calling that twice is harmless. Rejects
   * with the signal's reason if the signal aborts first.
   */
  async enter(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn(signal);
    let isIn = true;
    return () => {
      if (isIn) this.#leave();
      isIn = false;
    };
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const onTurn = () => {
        forget();
        resolve();
      };
      this.#waiting.add(onTurn);
      const forget = onAbort(signal, () => {
        this.#waiting.delete(onTurn);
        reject(signal?.reason);
      });
    });
  }

  #leave(): void {
    const [next] = this.#waiting;
    if (next) {
      this.#waiting.delete(next);
      next();
    } else this.#free += 1;
  }
}
