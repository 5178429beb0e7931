/** Limits how often events reach a model: those of one kind and session, and all together. Counts what is left out. */

/** Between two events of one kind in one session. */
const SAME_EVERY_MS = 5_000;
const WINDOW_MS = 60_000;
const MAX_IN_WINDOW = 20;

export type RateVerdict =
  | { readonly isAllowed: true /** Since the last one that was allowed. */; readonly skipped: number }
  | { readonly isAllowed: false };

export class EventRate {
  #allowed: { readonly key: string; readonly atMs: number }[] = [];
  #skipped = 0;

  ask(key: string, nowMs: number): RateVerdict {
    this.#allowed = this.#allowed.filter(({ atMs }) => nowMs - atMs < WINDOW_MS);
    const isSameSoon = this.#allowed.some((other) => other.key === key && nowMs - other.atMs < SAME_EVERY_MS);
    if (isSameSoon || this.#allowed.length >= MAX_IN_WINDOW) {
      this.#skipped += 1;
      return { isAllowed: false };
    }
    this.#allowed.push({ key, atMs: nowMs });
    const skipped = this.#skipped;
    this.#skipped = 0;
    return { isAllowed: true, skipped };
  }
}
