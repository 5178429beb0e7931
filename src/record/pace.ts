/**
 * Computes when the events of a recording are played: at the original speed or another one, with long silences
 * shortened.
 */
import { LimpetError } from "../base/limpet-error.ts";

/** How fast a recording plays. */
export interface PaceOptions {
  /** 2 plays twice as fast. At least 0.01; `Infinity` plays without pauses. Default 1. */
  readonly speed?: number;
  /** The longest silence, before `speed` is applied. Default: the original length. */
  readonly idleMs?: number;
}

export class Pace {
  readonly #speed: number;
  readonly #idleMs: number;
  #lastMs = 0;
  #dueMs = 0;

  constructor({ speed = 1, idleMs = Number.POSITIVE_INFINITY }: PaceOptions) {
    if (!(speed >= 0.01))
      throw new LimpetError("BAD_OPTION", `speed must be at least 0.01 (got ${speed}). Pass a larger number.`);
    if (!(idleMs >= 0))
      throw new LimpetError("BAD_OPTION", `idleMs must be at least 0 (got ${idleMs}). Pass a larger number.`);
    this.#speed = speed;
    this.#idleMs = idleMs;
  }

  /** Milliseconds from the start of the replay until the event is due. Pass each event once, in order. */
  due({ atMs }: { readonly atMs: number }): number {
    this.#dueMs += Math.min(atMs - this.#lastMs, this.#idleMs) / this.#speed;
    this.#lastMs = atMs;
    return this.#dueMs;
  }
}
