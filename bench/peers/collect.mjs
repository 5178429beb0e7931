/**
 * For contenders that must be polled: asks again, less and less often, until the text is complete.
 */
import { setTimeout as sleep } from "node:timers/promises";

/** Faster than any model, so that times are those of the contender. */
const FAST = { firstMs: 10, mostMs: 500 };
/** A model needs at least this long for a call, which matters if calls are counted. */
const AS_A_MODEL = { firstMs: 1_000, mostMs: 1_000 };
const GROWTH = 1.5;

let epoch = 0;
let pace = FAST;

/** What `work` returns. While it runs, polls come as often as those of a model. */
export async function atThePaceOfAModel(work) {
  pace = AS_A_MODEL;
  try {
    return await work();
  } finally {
    pace = FAST;
  }
}

/** Ends every poll that is under way, so that none of them counts for the next job. */
export function stopPolls() {
  epoch += 1;
}

export async function collect({ first = "", poll, isDone, limitMs = 10_000 }) {
  const deadlineMs = Date.now() + limitMs;
  let text = first;
  let pauseMs = pace.firstMs;
  const begun = epoch;
  while (!isDone(text) && Date.now() < deadlineMs) {
    await sleep(pauseMs);
    if (epoch !== begun) throw new Error("took too long");
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
