/** Tells those who listen what is typed, as far as the terminal shows it: a password is typed without echo, and is never told. */
import type { Cursor } from "../base/cursor.ts";
import type { OutputStore } from "../journal/output-store.ts";
import type { Delivered, OnDelivery } from "./input-queue.ts";

/** Input, and where in the output it belongs: before its own echo. */
export interface Typed {
  readonly bytes: Uint8Array;
  readonly cursor: Cursor;
  /** Milliseconds since the session began. */
  readonly atMs: number;
}

export type OnTyped = (typed: Typed) => void;

export class TypedInput {
  readonly #store: OutputStore;
  readonly #listeners = new Set<OnTyped>();
  readonly #confidants = new Set<OnTyped>();

  constructor(store: OutputStore) {
    this.#store = store;
  }

  listen(listener: OnTyped): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Hears of what is typed without echo, too, and must keep none of it. */
  confide(listener: OnTyped): void {
    this.#confidants.add(listener);
  }

  readonly onDelivery: OnDelivery = (bytes) => {
    const [cursor, atMs] = [this.#store.end, this.#store.timeline.nowMs];
    return ({ taken, isShown }: Delivered) => {
      const listeners = isShown ? [...this.#confidants, ...this.#listeners] : this.#confidants;
      for (const listener of listeners) listener({ bytes: bytes.subarray(0, taken), cursor, atMs });
    };
  };
}
