/** Lets the bench ask for calls one after the other, while the story of a stand-in model waits for the next. */
import { withLimit } from "../with-limit.mjs";

export function openBridge() {
  let settle;
  let next = deferred();
  const begun = deferred();
  begun.promise.catch(() => undefined);
  return {
    async *story() {
      begun.resolve();
      for (;;) {
        const step = await next.promise;
        if (step === undefined) return;
        next = deferred();
        const result = yield step;
        settle?.resolve(result);
      }
    },
    ready: (ms) => withLimit(begun.promise, ms, "the start"),
    take(step, ms) {
      settle = deferred();
      settle.promise.catch(() => undefined);
      next.resolve(step);
      return withLimit(settle.promise, ms, step.call);
    },
    finish: () => next.resolve(undefined),
    fail(error) {
      begun.reject(error);
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
