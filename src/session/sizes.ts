/** Which size the terminal had at each place of the output, as far back as remembered: a screen can be drawn anew only with it. */
import { MAX_SIZE_CHANGES } from "../base/limits.ts";
import type { TerminalSize } from "../pty/open-pty.ts";
import type { Cursor } from "./journal.ts";

/** Output from here on was written to a terminal of this size. */
export interface SizeChange {
  readonly cursor: Cursor;
  readonly size: TerminalSize;
}

export class Sizes {
  readonly #changes: SizeChange[];

  constructor(first: TerminalSize) {
    this.#changes = [{ cursor: 0, size: first }];
  }

  /** The oldest first; the first one counts for all that came before it, too. */
  get changes(): readonly SizeChange[] {
    return this.#changes;
  }

  note(cursor: Cursor, size: TerminalSize): void {
    // Sizes between two outputs were never drawn on.
    if (this.#changes.at(-1)?.cursor === cursor) this.#changes.pop();
    this.#changes.push({ cursor, size });
    if (this.#changes.length > MAX_SIZE_CHANGES) this.#changes.shift();
  }
}
