/** The input of a session: delivered in order, only while its program is alive, and reported to listeners. */
import type { Cursor } from "../../base/cursor.ts";
import { encodeText } from "../../base/format/encode-text.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { OutputStore } from "../../journal/output-store.ts";
import type { Channel } from "../../transport/transport.ts";
import type { Lifetime } from "../lifetime.ts";
import type { OnDiscarded } from "./held-input.ts";
import type { InputPart } from "./input-part.ts";
import { type Delivered, InputQueue, type OnDelivery } from "./input-queue.ts";

/** Input and its cursor in the output, which is before its own echo. */
export interface Typed {
  readonly bytes: Uint8Array;
  readonly cursor: Cursor;
  /** Milliseconds since the session started. */
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
  /** Called just before input is delivered. */
  readonly beforeInput: (bytes: Uint8Array) => void;
}

export class SessionInput {
  readonly #parts: InputParts;
  readonly #queue: InputQueue;
  readonly #listeners = new Set<OnTyped>();
  readonly #unfilteredListeners = new Set<OnTyped>();
  #lastMs = 0;

  constructor(parts: InputParts) {
    this.#parts = parts;
    this.#queue = new InputQueue(parts.channel, this.#onDelivery);
    void parts.channel.exited.then(() => this.#queue.programEnded());
  }

  /** When input was last delivered, on the clock of `performance.now()`; 0 if never. */
  get lastMs(): number {
    return this.#lastMs;
  }

  get queuedBytes(): number {
    return this.#queue.queuedBytes;
  }

  /** Reports input that the terminal echoes. Passwords are typed without echo and are never reported. */
  onTyped(listener: OnTyped): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Also reports input that is not echoed. The listener must not keep it. */
  onAnyTyped(listener: OnTyped): void {
    this.#unfilteredListeners.add(listener);
  }

  /** Bytes that the program has not read yet; once it has ended, those it never got. */
  get unreadBytes(): number {
    return this.#queue.unreadBytes;
  }

  async write(input: string | Uint8Array): Promise<void> {
    const bytes = typeof input === "string" ? encodeText(input) : Uint8Array.from(input);
    await this.type([{ encode: () => bytes }]);
  }

  /**
   * Types one part after the other. Throws if the program has ended. Resolves when the terminal has accepted all of
   * them.
   */
  type(parts: readonly InputPart[], onDiscarded?: OnDiscarded): Promise<void> {
    this.#parts.lifetime.requireAlive("write to");
    return this.#queue.type(parts, onDiscarded).finally(() => {
      this.#lastMs = performance.now();
      // A wait may end now that everything is typed.
      this.#parts.store.changes.announce();
    });
  }

  endInput(): void {
    const { id, tty, lifetime } = this.#parts;
    lifetime.requireAlive("end the input of");
    if (tty) {
      throw new LimpetError(
        "BAD_OPTION",
        `Session ${id} has a terminal, so its input cannot be closed. Write "\\x04" (Ctrl+D) instead.`,
      );
    }
    this.#queue.end();
  }

  readonly #onDelivery: OnDelivery = (bytes) => {
    const { store, beforeInput } = this.#parts;
    beforeInput(bytes);
    const [cursor, atMs] = [store.end, store.timeline.nowMs];
    return ({ taken, isShown }: Delivered) => {
      const listeners = isShown ? [...this.#unfilteredListeners, ...this.#listeners] : this.#unfilteredListeners;
      for (const listener of listeners) listener({ bytes: bytes.subarray(0, taken), cursor, atMs });
    };
  };
}
