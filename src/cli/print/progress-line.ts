/** A progress line on stderr, only for a person and only for long work. */
import { isPerson, overwriteLine } from "./print.ts";

/** Shorter work needs no progress line. */
const QUIET_MS = 1_000;
/** Often enough to look alive. */
const EVERY_MS = 100;

export class ProgressLine {
  readonly #isWanted = isPerson();
  #nextMs: number = performance.now() + QUIET_MS;
  #isShown = false;

  /** Calls `text` only if the line is shown. */
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
