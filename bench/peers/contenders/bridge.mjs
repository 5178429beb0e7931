/**
 * Passes the calls of the bench, one after the other, to the story of a stand-in model, which waits for the next call.
 */
import { withLimit } from "../with-limit.mjs";

export function openBridge() {
  let settle;
  let next = deferred();
  const started = deferred();
  started.promise.catch(() => undefined);
  return {
    async *story() {
      started.resolve();
      for (;;) {
        const step = await next.promise;
        if (step === undefined) return;
        next = deferred();
        const result = yield step;
        settle?.resolve(result);
      }
    },
    ready: (ms) => withLimit(started.promise, ms, "the start"),
    take(step, ms) {
      settle = deferred();
      settle.promise.catch(() => undefined);
      next.resolve(step);
      return withLimit(settle.promise, ms, step.call);
    },
    finish: () => next.resolve(undefined),
    fail(error) {
      started.reject(error);
      settle?.reject(error);
      next.resolve(undefined);
    },
  };
}

function deferred() {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
}
