/**
 * What comes on a stderr of its own. It can be there before the mark of the command's beginning, which comes another way: then it
 * waits for that.
 */
import type { OutputStore } from "../journal/output-store.ts";
import type { Frame } from "./frame.ts";

export class EarlyStderr {
  readonly #store: OutputStore;
  readonly #early: Uint8Array[] = [];

  constructor(store: OutputStore) {
    this.#store = store;
  }

  /** `frame` is the command that runs. */
  add(bytes: Uint8Array, frame: Frame | undefined): void {
    if (frame && !frame.hasStarted && !frame.end) this.#early.push(Uint8Array.from(bytes));
    else this.#store.append(bytes, "stderr");
  }

  /** The command has begun, or has ended without that. */
  release(): void {
    for (const bytes of this.#early.splice(0)) this.#store.append(bytes, "stderr");
  }
}
