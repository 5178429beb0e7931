/**
 * Stores the output of a separate stderr. It can arrive before the command's start mark, which comes through the
 * terminal. Then it is held back until that mark.
 */
import type { OutputStore } from "../../journal/output-store.ts";
import type { Frame } from "./frame.ts";

export class EarlyStderr {
  readonly #store: OutputStore;
  readonly #early: Uint8Array[] = [];

  constructor(store: OutputStore) {
    this.#store = store;
  }

  /** `frame` is the running command. */
  add(bytes: Uint8Array, frame: Frame | undefined): void {
    if (frame && !frame.hasStarted && !frame.end) this.#early.push(Uint8Array.from(bytes));
    else this.#store.append(bytes, "stderr");
  }

  /** Call when the command has started, or has ended without a start mark. */
  release(): void {
    for (const bytes of this.#early.splice(0)) this.#store.append(bytes, "stderr");
  }
}
