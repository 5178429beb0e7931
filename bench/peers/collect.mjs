/** For contenders that must be polled: asks again, as fast as no model could, until the text is complete. */
import { setTimeout as sleep } from "node:timers/promises";

const PAUSE_MS = 20;

export async function collect({ first = "", poll, isDone, limitMs = 10_000 }) {
  const deadlineMs = Date.now() + limitMs;
  let text = first;
  while (!isDone(text) && Date.now() < deadlineMs) {
    await sleep(PAUSE_MS);
    text += await poll();
  }
  return text;
}

export function codeIn(text, pattern) {
  const found = pattern.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}
