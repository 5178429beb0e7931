/** Counts failed attempts to sign in, and says when there were too many of them. */
import { BoundedMap } from "../../../base/bounded-map.ts";

interface AttemptLimits {
  /** Of one address, within `windowMs`. */
  readonly maxEach: number;
  /** Of all addresses. */
  readonly maxAll: number;
  readonly windowMs: number;
}

const MAX_ADDRESSES = 1_000;
const LIMITS: AttemptLimits = { maxEach: 10, maxAll: 100, windowMs: 60_000 };

interface Count {
  readonly sinceMs: number;
  readonly failures: number;
}

export class Attempts {
  readonly #limits: AttemptLimits;
  readonly #now: () => number;
  readonly #each = new BoundedMap<string, Count>(MAX_ADDRESSES);
  #all: Count = { sinceMs: Number.NEGATIVE_INFINITY, failures: 0 };

  constructor(now: () => number, limits: AttemptLimits = LIMITS) {
    this.#now = now;
    this.#limits = limits;
  }

  /** How long this address has to wait; 0 if it may try. */
  waitMs(address: string): number {
    const { maxEach, maxAll } = this.#limits;
    const each = this.#each.get(address);
    return Math.max(this.#leftOf(each, maxEach), this.#leftOf(this.#all, maxAll));
  }

  failed(address: string): void {
    this.#each.set(address, this.#another(this.#each.get(address)));
    this.#all = this.#another(this.#all);
  }

  #leftOf(count: Count | undefined, max: number): number {
    if (count === undefined || count.failures < max) return 0;
    return Math.max(0, count.sinceMs + this.#limits.windowMs - this.#now());
  }

  #another(count: Count | undefined): Count {
    const now = this.#now();
    const isOver = count === undefined || now - count.sinceMs >= this.#limits.windowMs;
    return isOver ? { sinceMs: now, failures: 1 } : { ...count, failures: count.failures + 1 };
  }
}
