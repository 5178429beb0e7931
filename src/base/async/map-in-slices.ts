/** Maps many items with work that takes processor time, without blocking the event loop for all of it at once. */
import { setImmediate as nextTurn } from "node:timers/promises";

/** After this long, other work on the event loop runs. */
const SLICE_MS = 4;
/** Work that waits for a timer would otherwise go on for all items in one turn of the event loop. */
const MOST_AT_ONCE = 16;

/** Starts the work on each item in order, on some of them at once. */
export async function mapInSlices<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: Promise<R>[] = [];
  const running = new Set<Promise<unknown>>();
  let startedMs = performance.now();
  for (const item of items) {
    if (running.size >= MOST_AT_ONCE) await Promise.race(running);
    if (performance.now() - startedMs >= SLICE_MS) {
      await nextTurn();
      startedMs = performance.now();
    }
    const result = work(item);
    results.push(result);
    // The caller, which awaits all results, gets the error.
    const done: Promise<void> = result.then(leave, leave);
    function leave(): void {
      running.delete(done);
    }
    running.add(done);
  }
  return await Promise.all(results);
}
