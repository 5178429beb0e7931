/**
 * Whether a client is still connected, as far as a server can know: HTTP has no connection that ends with the client.
 */

/** A client without a stream counts as gone after this time, which is longer than an agent thinks between two calls. */
const SILENT_MS = 5 * 60_000;

export class Presence {
  readonly #nowMs: () => number;
  #open = 0;
  #hadStream = false;
  #usedMs: number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#usedMs = nowMs();
  }

  /** Runs one exchange. `isStream`: the client keeps it open for as long as it runs. */
  async during<T>(isStream: boolean, exchange: () => Promise<T>): Promise<T> {
    if (isStream) this.#hadStream = true;
    this.#open += 1;
    try {
      return await exchange();
    } finally {
      this.#open -= 1;
      this.#usedMs = this.#nowMs();
    }
  }

  /** A client whose open stream has ended is gone; one without a stream, if it was silent for long. */
  get isAbsent(): boolean {
    return this.#open === 0 && (this.#hadStream || this.silentMs > SILENT_MS);
  }

  /** How long no exchange has been running. */
  get silentMs(): number {
    return this.#open > 0 ? 0 : this.#nowMs() - this.#usedMs;
  }
}
