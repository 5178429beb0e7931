/** The numbers of one CSI sequence, read digit by digit: bounded in their count and size. */

/** As many as xterm keeps. */
const MAX_PARAMS = 32;
/** No mode, row or column has a larger number. */
const LARGEST_PARAM = 9_999;
const COLON = 0x3a;

export class CsiParams {
  readonly #values: number[] = [];
  /** One bit for each parameter that follows a colon. */
  #subParams = 0;
  #isFull = false;

  get length(): number {
    return this.#values.length;
  }

  /** In order; -1 stands for a parameter that was left out. */
  get values(): readonly number[] {
    return this.#values;
  }

  /** The parameter at `index`, or `fallback` where it is missing or 0. */
  get(index: number, fallback: number): number {
    const value = this.#values[index] ?? 0;
    return value > 0 ? value : fallback;
  }

  /** Whether the parameter at `index` details the one before it, as the 3 of `4:3` does. */
  isSubParam(index: number): boolean {
    return ((this.#subParams >>> index) & 1) === 1;
  }

  /** All but the sub-parameters; one that was left out counts as 0. */
  numbers(): readonly number[] {
    return this.#values.filter((_, index) => !this.isSubParam(index)).map((value) => Math.max(0, value));
  }

  clear(): void {
    this.#values.length = 0;
    this.#subParams = 0;
    this.#isFull = false;
  }

  addDigit(digit: number): void {
    if (this.#isFull) return;
    const last = Math.max(0, this.#values.length - 1);
    this.#values[last] = Math.min(Math.max(this.#values[last] ?? 0, 0) * 10 + digit, LARGEST_PARAM);
  }

  /** A `;` or `:`, after which the next parameter begins. */
  addSeparator(separator: number): void {
    if (this.#values.length === 0) this.#values.push(-1);
    if (this.#values.length === MAX_PARAMS) {
      this.#isFull = true;
      return;
    }
    if (separator === COLON) this.#subParams |= 1 << this.#values.length;
    this.#values.push(-1);
  }
}
