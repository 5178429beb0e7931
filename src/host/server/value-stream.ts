/**
 * A stream to one client. It reads the next value only when the client has consumed the earlier ones, so a slow client
 * costs a few values of memory. The next value counts the output that its session dropped meanwhile.
 */
import { deferred } from "../../base/async/deferred.ts";
import { STREAM_WINDOW } from "../../base/limits.ts";

export interface ValueStreamOptions {
  readonly values: AsyncIterable<unknown>;
  readonly signal: AbortSignal;
  readonly send: (value: unknown) => void;
}

export class ValueStream {
  readonly #options: ValueStreamOptions;
  #allowed: number = STREAM_WINDOW;
  #resumed = deferred<void>();

  constructor(options: ValueStreamOptions) {
    this.#options = options;
    options.signal.addEventListener("abort", () => this.#resumed.resolve(), { once: true });
  }

  /** The client has consumed a value. */
  allowOne(): void {
    // A client cannot have consumed more than it was sent.
    this.#allowed = Math.min(this.#allowed + 1, STREAM_WINDOW);
    this.#resumed.resolve();
  }

  /** Resolves when the stream has ended or the client has cancelled it. */
  async run(): Promise<void> {
    const { values, signal, send } = this.#options;
    try {
      for await (const value of values) {
        send(value);
        this.#allowed -= 1;
        while (this.#allowed === 0 && !signal.aborted) {
          this.#resumed = deferred<void>();
          await this.#resumed.promise;
        }
        if (signal.aborted) return;
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}
