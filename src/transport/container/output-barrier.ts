/**
 * Detects when all output of a program in a container has arrived. The output passes through the engine and its client,
 * so the kernel can show that the program waits while its last output is still in transit. limpet then writes a barrier
 * into the terminal of the program, after that output. When the barrier arrives, everything before it has arrived too.
 */
import { BarrierFilter } from "./barrier-filter.ts";

/** A barrier is written again after this time, because the terminal discards pending output at each Ctrl+C. */
const AGAIN_MS = 250;
/** If no barrier arrives for this long, the output counts as complete, so that the caller gets an answer. */
const GIVE_UP_MS = 15_000;

/** Writes into the terminal. Returns how many bytes it accepted, or undefined if the terminal cannot be opened. */
export type WriteInside = (bytes: Uint8Array) => number | undefined;

interface Pending {
  readonly moment: string;
  /** The number of the first barrier of this moment. */
  readonly number: number;
  /** The time since which no barrier has arrived. */
  readonly sinceMs: number;
  writtenMs: number;
  /** The bytes that the terminal has not accepted yet. */
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
   * Whether all output from before the first call for this moment has arrived. Call it again until it returns true. Two
   * moments are equal if the program has not run in between.
   */
  hasPassed(moment: string, write: WriteInside): boolean {
    if (this.#passed === moment) return true;
    const pending = this.#pending;
    const nowMs = this.#now();
    if (pending && nowMs - pending.sinceMs >= GIVE_UP_MS) return this.#pass(moment);
    // Only one barrier at a time, because the program may run and stop many times.
    if (pending && nowMs - pending.writtenMs < AGAIN_MS) return this.#writeRest(pending, write);
    this.#count += 1;
    const number = pending?.moment === moment ? pending.number : this.#count;
    const sinceMs = pending?.sinceMs ?? nowMs;
    const rest = this.#filter.barrier(this.#count);
    this.#pending = { moment, number, sinceMs, writtenMs: nowMs, rest };
    return this.#writeRest(this.#pending, write);
  }

  /** Writes the remaining bytes. Returns true only if the terminal cannot be opened. */
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
