/** Maps many items with work whose beginning takes processor time, without holding up the event loop for all of them. */
import { setImmediate as nextTurn } from "node:timers/promises";

/** After this long, other work has its turn. */
const SLICE_MS = 4;

/** Begins the work on each item in order, and does not wait for one to begin the next. */
export async function mapInSlices<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const begun: Promise<R>[] = [];
  let startedMs = performance.now();
  for (const item of items) {
    const result = work(item);
    // Whoever waits for all of them sees the error.
    result.catch(() => undefined);
    begun.push(result);
    if (performance.now() - startedMs < SLICE_MS) continue;
    await nextTurn();
    startedMs = performance.now();
  }
  return await Promise.all(begun);
}
