/**
 * For contenders that must be polled: asks again, first faster than any model could, then less and less often, until the
 * text is complete.
 */
import { setTimeout as sleep } from "node:timers/promises";

const FIRST_PAUSE_MS = 10;
const MOST_PAUSE_MS = 500;
const GROWTH = 1.5;

export async function collect({ first = "", poll, isDone, limitMs = 10_000 }) {
  const deadlineMs = Date.now() + limitMs;
  let text = first;
  let pauseMs = FIRST_PAUSE_MS;
  while (!isDone(text) && Date.now() < deadlineMs) {
    await sleep(pauseMs);
    pauseMs = Math.min(MOST_PAUSE_MS, pauseMs * GROWTH);
    text += await poll();
  }
  return text;
}

export function codeIn(text, pattern) {
  const found = pattern.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}
