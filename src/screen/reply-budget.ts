/** Limits how many answers are given in any second. */
export class ReplyBudget {
  readonly #most: number;
  readonly #givenMs: number[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  take(nowMs: number): boolean {
    while (this.#givenMs[0] !== undefined && nowMs - this.#givenMs[0] >= 1_000) this.#givenMs.shift();
    if (this.#givenMs.length >= this.#most) return false;
    this.#givenMs.push(nowMs);
    return true;
  }
}
