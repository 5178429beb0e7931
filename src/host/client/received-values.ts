/** A queue of the values of a stream from a host. */
import { deferred } from "../../base/async/deferred.ts";

export class ReceivedValues {
  readonly #values: unknown[] = [];
  #wake = deferred<void>();
  #isOver = false;

  /** No value can follow. */
  get isOver(): boolean {
    return this.#isOver;
  }

  push(value: unknown): void {
    this.#values.push(value);
    this.#wake.resolve();
  }

  end(): void {
    this.#isOver = true;
    this.#wake.resolve();
  }

  /** Waits for a value. Undefined when all are consumed and none can follow. */
  async next(): Promise<{ readonly value: unknown } | undefined> {
    while (this.#values.length === 0) {
      if (this.#isOver) return undefined;
      await this.#wake.promise;
      this.#wake = deferred<void>();
    }
    return { value: this.#values.shift() };
  }
}
