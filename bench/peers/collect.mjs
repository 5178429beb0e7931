/**
 * For contenders that must be polled: asks again, first faster than any model could, then less and less often, until the
 * text is complete.
 */
import { setTimeout as sleep } from "node:timers/promises";

const FIRST_PAUSE_MS = 10;
const MOST_PAUSE_MS = 500;
const GROWTH = 1.5;

let epoch = 0;

/** Ends every poll that is under way, so that none of them counts for the next job. */
export function stopPolls() {
  epoch += 1;
}

export async function collect({ first = "", poll, isDone, limitMs = 10_000 }) {
  const deadlineMs = Date.now() + limitMs;
  let text = first;
  let pauseMs = FIRST_PAUSE_MS;
  const begun = epoch;
  while (!isDone(text) && Date.now() < deadlineMs) {
    await sleep(pauseMs);
    if (epoch !== begun) throw new Error("took too long");
    pauseMs = Math.min(MOST_PAUSE_MS, pauseMs * GROWTH);
    text += await poll();
  }
  return text;
}

/** Looks at a screen until it matches. A program needs time to draw. */
export async function lookUntil(look, pattern, limitMs = 3_000) {
  let text = await look();
  const poll = async () => {
    text = await look();
    return "";
  };
  await collect({ poll, isDone: () => pattern === undefined || pattern.test(text), limitMs });
  return text;
}

export function codeIn(text, pattern) {
  const found = pattern.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}
