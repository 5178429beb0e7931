/** One line on stderr that says how far something has come: only for a person, and only where it takes long. */
import { isPerson, overwriteLine } from "./print.ts";

/** What takes no longer needs no line. */
const QUIET_MS = 1_000;
/** Often enough to be seen moving. */
const EVERY_MS = 100;

export class ProgressLine {
  readonly #isWanted = isPerson();
  #nextMs: number = performance.now() + QUIET_MS;
  #isShown = false;

  /** Asks for the text only where it is shown. */
  tell(text: () => string): void {
    const nowMs = performance.now();
    if (!this.#isWanted || nowMs < this.#nextMs) return;
    this.#nextMs = nowMs + EVERY_MS;
    this.#isShown = true;
    overwriteLine(text());
  }

  end(): void {
    if (this.#isShown) overwriteLine("");
  }
}
