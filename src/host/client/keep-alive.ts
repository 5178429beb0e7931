/** Notices that the other side of a connection is gone when the connection itself reports no error. */
import type { KeepAliveRules } from "./link-rules.ts";

export interface KeepAliveOptions extends KeepAliveRules {
  /** Asks for an answer. */
  readonly ask: () => void;
  /** Bytes that wait to be sent. */
  readonly unsentBytes: () => number;
  readonly onDead: () => void;
}

/**
 * Counts checks without an answer instead of measuring time: after the machine was suspended, the other side still gets
 * time to answer.
 */
export class KeepAlive {
  readonly #options: KeepAliveOptions;
  readonly #timer: NodeJS.Timeout;
  #missed = 0;
  #hasHeard = true;
  #unsentBytes = 0;

  constructor(options: KeepAliveOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#check(), options.everyMs);
    this.#timer.unref();
  }

  /** Something came from the other side. */
  heard(): void {
    this.#hasHeard = true;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    const { maxMissed, ask, unsentBytes, onDead } = this.#options;
    const unsent = unsentBytes();
    // A long request on its way over a slow link: the question waits behind it.
    const isSending = unsent > 0 && unsent < this.#unsentBytes;
    this.#unsentBytes = unsent;
    this.#missed = this.#hasHeard || isSending ? 0 : this.#missed + 1;
    this.#hasHeard = false;
    if (this.#missed >= maxMissed) {
      this.stop();
      onDead();
    } else ask();
  }
}
