/** When the events of a recording are played: in their own time or faster, with long silences cut short. */
import { LimpetError } from "../base/limpet-error.ts";

/** How fast a recording plays. */
export interface PaceOptions {
  /** 2 is twice as fast. From 0.01 on; `Infinity` waits for nothing. Default 1. */
  readonly speed?: number;
  /** No silence is longer than this, before `speed` is applied. Default: as long as it was. */
  readonly idleMs?: number;
}

export class Pace {
  readonly #speed: number;
  readonly #idleMs: number;
  #lastMs = 0;
  #dueMs = 0;

  constructor({ speed = 1, idleMs = Number.POSITIVE_INFINITY }: PaceOptions) {
    if (!(speed >= 0.01)) throw new LimpetError("BAD_OPTION", `speed is ${speed}. Give a number from 0.01 on.`);
    if (!(idleMs >= 0)) throw new LimpetError("BAD_OPTION", `idleMs is ${idleMs}. Give a number from 0 on.`);
    this.#speed = speed;
    this.#idleMs = idleMs;
  }

  /** Since the beginning of the playing; events are passed in order, each once. */
  due({ atMs }: { readonly atMs: number }): number {
    this.#dueMs += Math.min(atMs - this.#lastMs, this.#idleMs) / this.#speed;
    this.#lastMs = atMs;
    return this.#dueMs;
  }
}
