/**
 * Knows when everything that a program in a container has printed has arrived. Its output passes through the engine
 * and its client, so the kernel can show that the program waits while its last output is still on its way. limpet then
 * writes a barrier into the terminal of the program, behind that output: when it arrives, so has everything before it.
 */
import { BarrierFilter } from "./barrier-filter.ts";

/** The terminal discards what it has not passed on at each Ctrl+C, barriers included. */
const AGAIN_MS = 250;
/** An output that is stuck for this long does not keep anybody from an answer. */
const GIVE_UP_MS = 15_000;

/** Writes into the terminal: how many bytes it took, or undefined if it cannot be opened. */
export type WriteInside = (bytes: Uint8Array) => number | undefined;

interface Pending {
  readonly moment: string;
  /** The first barrier of this moment. */
  readonly number: number;
  /** Since when no barrier has arrived. */
  readonly sinceMs: number;
  writtenMs: number;
  /** What the terminal has not taken. */
  rest: Uint8Array;
}

export interface OutputBarrierParts {
  readonly deliver: (bytes: Uint8Array) => void;
  readonly now?: () => number;
}

export class OutputBarrier {
  readonly #filter: BarrierFilter;
  readonly #now: () => number;
  #count = 0;
  #pending: Pending | undefined;
  #passed: string | undefined;

  constructor({ deliver, now = () => performance.now() }: OutputBarrierParts) {
    this.#now = now;
    this.#filter = new BarrierFilter({
      deliver,
      onBarrier: (number) => this.#arrived(number),
      isExpected: () => this.#pending !== undefined,
    });
  }

  /** Passes output on without the barriers in it. */
  push(bytes: Uint8Array): void {
    this.#filter.push(bytes);
  }

  /** Call at the end of the output. */
  end(): void {
    this.#filter.release();
  }

  /**
   * Whether everything has arrived that was printed before the first call for this moment. Call it again until it has.
   * Two moments are equal if the program has not run in between.
   */
  hasPassed(moment: string, write: WriteInside): boolean {
    if (this.#passed === moment) return true;
    const pending = this.#pending;
    const nowMs = this.#now();
    if (pending && nowMs - pending.sinceMs >= GIVE_UP_MS) return this.#pass(moment);
    // One at a time: the program may run again and again.
    if (pending && nowMs - pending.writtenMs < AGAIN_MS) return this.#writeRest(pending, write);
    this.#count += 1;
    const number = pending?.moment === moment ? pending.number : this.#count;
    const sinceMs = pending?.sinceMs ?? nowMs;
    const rest = this.#filter.barrier(this.#count);
    this.#pending = { moment, number, sinceMs, writtenMs: nowMs, rest };
    return this.#writeRest(this.#pending, write);
  }

  /** Always false, unless nobody can write there. */
  #writeRest(pending: Pending, write: WriteInside): boolean {
    if (pending.rest.length === 0) return false;
    const taken = write(pending.rest);
    if (taken === undefined) return this.#pass(pending.moment);
    pending.rest = pending.rest.subarray(Math.max(0, taken));
    return false;
  }

  #arrived(number: number): void {
    if (this.#pending && number >= this.#pending.number) this.#pass(this.#pending.moment);
  }

  #pass(moment: string): true {
    this.#passed = moment;
    this.#pending = undefined;
    this.#filter.release();
    return true;
  }
}
