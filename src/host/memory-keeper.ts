/**
 * Gives memory back to the system when a host has had work and rests: Node collects garbage only when it needs room,
 * and malloc keeps what was freed in between.
 */
import { giveBackMemory } from "../linux/give-back-memory.ts";

/** Without a request for this long, a host rests. */
const REST_MS = 5_000;
const ROUNDS = 4;
/** Less than this is not worth a pause. */
const WORTH_BYTES = 16 * 1024 * 1024;

export class MemoryKeeper {
  readonly #timer: NodeJS.Timeout;
  readonly #restMs: number;
  #lastMs = performance.now();
  /** Collections that are still to come: V8 frees large pieces only after several of them. */
  #rounds = 0;
  #leastBytes = process.memoryUsage.rss();

  constructor(restMs: number = REST_MS) {
    this.#restMs = restMs;
    this.#timer = setInterval(() => this.#check(), restMs / ROUNDS);
    this.#timer.unref();
  }

  /** Call this with every request. */
  note(): void {
    this.#lastMs = performance.now();
    this.#rounds = ROUNDS;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    if (this.#rounds === 0 || performance.now() - this.#lastMs < this.#restMs) return;
    this.#rounds -= 1;
    if (process.memoryUsage.rss() - this.#leastBytes > WORTH_BYTES) giveBackMemory();
    this.#leastBytes = Math.min(this.#leastBytes, process.memoryUsage.rss());
  }
}
