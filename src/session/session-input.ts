/** What is typed into a session: in order, only while its program lives, and reported to those who record it. */
import type { Cursor } from "../base/cursor.ts";
import { encodeText } from "../base/encode-text.ts";
import { LimpetError } from "../base/limpet-error.ts";
import type { OutputStore } from "../journal/output-store.ts";
import type { Channel } from "../transport/transport.ts";
import { type Delivered, InputQueue, type OnDelivery } from "./input-queue.ts";
import type { Lifetime } from "./lifetime.ts";

/** Input, and where in the output it belongs: before its own echo. */
export interface Typed {
  readonly bytes: Uint8Array;
  readonly cursor: Cursor;
  /** Milliseconds since the session began. */
  readonly atMs: number;
}

/** Called after each piece of input. */
export type OnTyped = (typed: Typed) => void;

interface InputParts {
  readonly id: number;
  readonly tty: boolean;
  readonly store: OutputStore;
  readonly channel: Channel;
  readonly lifetime: Lifetime;
}

export class SessionInput {
  readonly #parts: InputParts;
  readonly #queue: InputQueue;
  readonly #listeners = new Set<OnTyped>();
  readonly #confidants = new Set<OnTyped>();
  #lastMs = 0;

  constructor(parts: InputParts) {
    this.#parts = parts;
    this.#queue = new InputQueue(parts.channel, this.#onDelivery);
  }

  /** When input was last delivered, on the clock of `performance.now()`; 0 where there was none. */
  get lastMs(): number {
    return this.#lastMs;
  }

  get queuedBytes(): number {
    return this.#queue.queuedBytes;
  }

  /** Reports input that the terminal echoes. A password is typed without echo, and is never reported here. */
  onTyped(listener: OnTyped): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Also reports what is typed without echo, to a listener that keeps none of it. */
  confideTyped(listener: OnTyped): void {
    this.#confidants.add(listener);
  }

  async write(input: string | Uint8Array): Promise<void> {
    this.#parts.lifetime.requireAlive("write to");
    await this.#queue.write(typeof input === "string" ? encodeText(input) : Uint8Array.from(input));
    this.#lastMs = performance.now();
  }

  endInput(): void {
    const { id, tty, lifetime } = this.#parts;
    lifetime.requireAlive("end the input of");
    if (tty) {
      throw new LimpetError(
        "BAD_OPTION",
        `Session ${id} has a terminal, whose input has no end. Write "\\x04" (Ctrl+D) instead.`,
      );
    }
    this.#queue.end();
  }

  readonly #onDelivery: OnDelivery = (bytes) => {
    const { store } = this.#parts;
    const [cursor, atMs] = [store.end, store.timeline.nowMs];
    return ({ taken, isShown }: Delivered) => {
      const listeners = isShown ? [...this.#confidants, ...this.#listeners] : this.#confidants;
      for (const listener of listeners) listener({ bytes: bytes.subarray(0, taken), cursor, atMs });
    };
  };
}
