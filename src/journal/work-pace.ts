/**
 * Limits long work to a part of the time, measured over many tasks: one that reads a megabyte thirty times per second
 * costs others as much as one that reads thirty megabytes. Work up to `atOnceMs` needs no rest.
 */
export interface WorkPaceOptions {
  /** Between 0 and 1. */
  readonly part: number;
  readonly atOnceMs: number;
}

export class WorkPace {
  readonly #options: WorkPaceOptions;
  /** Work that the time since then does not pay for yet. */
  #owedMs = 0;
  #atMs = Number.NEGATIVE_INFINITY;

  constructor(options: WorkPaceOptions) {
    this.#options = options;
  }

  note(workMs: number, nowMs: number): void {
    this.#owedMs = this.#owedAt(nowMs) + workMs;
    this.#atMs = nowMs;
  }

  /** How long to wait before the next work. */
  restMs(nowMs: number): number {
    const { part, atOnceMs } = this.#options;
    return Math.max(0, this.#owedAt(nowMs) - atOnceMs) / part;
  }

  #owedAt(nowMs: number): number {
    return Math.max(0, this.#owedMs - (nowMs - this.#atMs) * this.#options.part);
  }
}
