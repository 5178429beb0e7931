/**
 * A stream to one client. It reads on only as far as the client has taken what it was sent, so a slow one costs a few
 * values of memory; what its session drops meanwhile is counted in the next value.
 */
import { deferred } from "../../base/deferred.ts";
import { STREAM_WINDOW } from "../../base/limits.ts";

export interface ValueStreamOptions {
  readonly values: AsyncIterable<unknown>;
  readonly signal: AbortSignal;
  readonly send: (value: unknown) => void;
}

export class ValueStream {
  readonly #options: ValueStreamOptions;
  #allowed: number = STREAM_WINDOW;
  #wanted = deferred<void>();

  constructor(options: ValueStreamOptions) {
    this.#options = options;
    options.signal.addEventListener("abort", () => this.#wanted.resolve(), { once: true });
  }

  /** The client has taken a value. */
  allowOne(): void {
    // No client has ever taken more than it was sent.
    this.#allowed = Math.min(this.#allowed + 1, STREAM_WINDOW);
    this.#wanted.resolve();
  }

  /** Resolves when the stream or the client's wish for it has ended. */
  async run(): Promise<void> {
    const { values, signal, send } = this.#options;
    try {
      for await (const value of values) {
        send(value);
        this.#allowed -= 1;
        while (this.#allowed === 0 && !signal.aborted) {
          this.#wanted = deferred<void>();
          await this.#wanted.promise;
        }
        if (signal.aborted) return;
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}
