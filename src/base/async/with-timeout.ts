import { setImmediate as nextTurn } from "node:timers/promises";

/** The result of `work`; undefined if it takes longer than `ms`. */
export async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    // If this process itself was blocked, a result may be ready that the event loop has not delivered yet.
    timer = setTimeout(() => void nextTurn().then(() => resolve(undefined)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
