import { setImmediate as nextTurn } from "node:timers/promises";

/** What `work` gives; undefined when it takes longer. */
export async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    // When it was this process that was held up, an answer may lie ready that nobody has looked at.
    timer = setTimeout(() => void nextTurn().then(() => resolve(undefined)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
