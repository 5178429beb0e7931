/** The longest time for which this process blocked its own event loop, by work or by a call that waits. */
import { readFileSync } from "node:fs";

const EVERY_MS = 10;

export class LoopWatch {
  #timer: NodeJS.Timeout | undefined;
  #longestMs = 0;

  start(): void {
    this.#longestMs = 0;
    let before = sample();
    this.#timer = setInterval(() => {
      const now = sample();
      // Time in the queue for a processor is caused by other processes.
      const heldMs = now.ms - before.ms - (now.queuedMs - before.queuedMs) - EVERY_MS;
      this.#longestMs = Math.max(this.#longestMs, heldMs);
      before = now;
    }, EVERY_MS).unref();
  }

  stop(): number {
    clearInterval(this.#timer);
    return this.#longestMs;
  }
}

function sample(): { readonly ms: number; readonly queuedMs: number } {
  const [, queued] = readFileSync("/proc/thread-self/schedstat", "utf8").split(" ");
  return { ms: performance.now(), queuedMs: Number(queued) / 1e6 };
}
