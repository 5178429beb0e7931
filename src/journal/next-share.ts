/**
 * Shares of the event loop for work that takes long, such as cleaning megabytes of output: tasks get them in turn, one
 * per turn of the loop, however many tasks there are. So a short task does not wait for the long ones. While somebody
 * types, all of this work together gets only a part of the time.
 */
import { isTypingElsewhere } from "../transport/recent-typing.ts";
import { WorkPace } from "./work-pace.ts";

interface Waiting {
  readonly resolve: () => void;
  readonly besidesMs: number;
}

const waiting: Waiting[] = [];

/** How long to work before asking for the next share. */
export const SHARE_MS = 0.5;
/** A reading of a few megabytes is not slowed down. */
const pace = new WorkPace({ part: 0.2, atOnceMs: 20 });

let isServing = false;

/** Resolves when it is the caller's turn. `besidesMs`: what its task costs in addition to its shares. */
export function nextShare({ besidesMs = 0 }: { readonly besidesMs?: number } = {}): Promise<void> {
  return new Promise((resolve) => {
    waiting.push({ resolve, besidesMs });
    if (isServing) return;
    isServing = true;
    setImmediate(serveNext);
  });
}

function serveNext(): void {
  if (waiting.length === 0) {
    isServing = false;
    return;
  }
  const restMs = isTypingElsewhere() ? pace.restMs(performance.now()) : 0;
  // A timer cuts fractions off.
  if (restMs > 0) setTimeout(serveNext, Math.ceil(restMs));
  else serve();
}

function serve(): void {
  const next = waiting.shift();
  pace.note(SHARE_MS + (next?.besidesMs ?? 0), performance.now());
  next?.resolve();
  // A task that has just had a share requests the next one a little later.
  setImmediate(serveNext);
}

/** Takes the steps of a task, in shares. */
export async function inShares(steps: Iterable<unknown>): Promise<void> {
  let untilMs = performance.now() + SHARE_MS;
  for (const _ of steps) {
    if (performance.now() < untilMs) continue;
    await nextShare();
    untilMs = performance.now() + SHARE_MS;
  }
}
