/** What is typed into a session: only while its program lives, in order, and told to those who record it. */
import { encodeText } from "../base/encode-text.ts";
import { LimpetError } from "../base/limpet-error.ts";
import type { OutputStore } from "../journal/output-store.ts";
import type { Channel } from "../transport/transport.ts";
import { InputQueue } from "./input-queue.ts";
import type { SessionEnd } from "./session-end.ts";
import { type OnTyped, TypedInput } from "./typed-input.ts";

interface InputParts {
  readonly id: number;
  readonly tty: boolean;
  readonly store: OutputStore;
  readonly channel: Channel;
  readonly end: SessionEnd;
}

export class SessionInput {
  readonly #parts: InputParts;
  readonly #typed: TypedInput;
  readonly #queue: InputQueue;
  #lastMs = 0;

  constructor(parts: InputParts) {
    this.#parts = parts;
    this.#typed = new TypedInput(parts.store);
    this.#queue = new InputQueue(parts.channel, this.#typed.onDelivery);
  }

  /** When input was last delivered, on the clock of `performance.now()`; 0 where there was none. */
  get lastMs(): number {
    return this.#lastMs;
  }

  get queuedBytes(): number {
    return this.#queue.queuedBytes;
  }

  onTyped(listener: OnTyped): () => void {
    return this.#typed.listen(listener);
  }

  confideTyped(listener: OnTyped): void {
    this.#typed.confide(listener);
  }

  async write(input: string | Uint8Array): Promise<void> {
    this.#parts.end.requireAlive("write to");
    await this.#queue.write(typeof input === "string" ? encodeText(input) : Uint8Array.from(input));
    this.#lastMs = performance.now();
  }

  endInput(): void {
    const { id, tty, end } = this.#parts;
    end.requireAlive("end the input of");
    if (tty) {
      throw new LimpetError(
        "BAD_OPTION",
        `Session ${id} has a terminal, whose input has no end. Write "\\x04" (Ctrl+D) instead.`,
      );
    }
    this.#queue.end();
  }
}
