/**
 * Divides the event loop among long tasks, such as cleaning megabytes of output. Each turn of the loop grants one
 * share, and the tasks take turns. So short work runs in between.
 */
import { isTypingElsewhere } from "../transport/recent-typing.ts";

const waiting: (() => void)[] = [];

/** How long to work before asking for the next share. */
export const SHARE_MS = 0.5;
/** After this many shares in a row, which are 20 ms of work, each share is followed by a pause while somebody types. */
const SHARES_BEFORE_REST = 40;
const REST_MS = 2;

/** How many shares were granted since the queue was last empty. */
let given = 0;
let isServing = false;

/** Resolves when it is the caller's turn. */
export function nextShare(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (isServing) return;
    isServing = true;
    setImmediate(serve);
  });
}

function serve(): void {
  waiting.shift()?.();
  given += 1;
  // A task that has just had a share requests the next one a little later.
  setImmediate(() => {
    if (waiting.length === 0) {
      given = 0;
      isServing = false;
    } else if (given > SHARES_BEFORE_REST && isTypingElsewhere()) setTimeout(serve, REST_MS);
    else serve();
  });
}

/** Runs the steps of a task in shares. */
export async function inShares(steps: Iterable<unknown>): Promise<void> {
  let untilMs = performance.now() + SHARE_MS;
  for (const _ of steps) {
    if (performance.now() < untilMs) continue;
    await nextShare();
    untilMs = performance.now() + SHARE_MS;
  }
}
