/** For contenders that must be polled: polls at growing intervals until the text is complete. */
import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";

/** Faster than any model, so that times are those of the contender. */
const FAST = { firstMs: 10, mostMs: 500 };
/** A model needs at least this long for a call, which matters if calls are counted. */
const AS_A_MODEL = { firstMs: 1_000, mostMs: 1_000 };
const GROWTH = 1.5;

const paces = new AsyncLocalStorage();

/**
 * The result of `work`, which polls as often as a model would. When it fails or takes too long, its polls stop, so that
 * they do not count for the next work.
 */
export async function atThePaceOfAModel(work) {
  const pace = { ...AS_A_MODEL, isOver: false };
  try {
    return await paces.run(pace, work);
  } finally {
    pace.isOver = true;
  }
}

export async function collect({ first = "", poll, isDone, limitMs = 10_000 }) {
  const deadlineMs = Date.now() + limitMs;
  let text = first;
  const pace = paces.getStore() ?? FAST;
  let pauseMs = pace.firstMs;
  while (!isDone(text) && Date.now() < deadlineMs) {
    await sleep(pauseMs);
    if (pace.isOver) throw new Error("took too long");
    pauseMs = Math.min(pace.mostMs, pauseMs * GROWTH);
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
