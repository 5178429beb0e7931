import { expect, test } from "vitest";
import { deferred } from "../../base/async/deferred.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { TurnAnswer } from "../../service/turn/turn-answer.ts";
import { type Attempt, firstAnswer, isNothing } from "./first-answer.ts";

function answer(name: string, reason = "exited"): TurnAnswer {
  return { session: { name }, result: { reason } } as unknown as TurnAnswer;
}

function open() {
  const { promise, resolve, reject } = deferred<TurnAnswer>();
  const signals: AbortSignal[] = [];
  const attempt: Attempt = (signal) => {
    signals.push(signal);
    return promise;
  };
  return { attempt, resolve, reject, isStopped: () => signals.every(({ aborted }) => aborted) };
}

const nothing = new LimpetError("NOTHING_TO_WAIT_FOR", "There is nothing to wait for.");
const isFatal = (error: unknown) => !isNothing(error) && !(error instanceof LimpetError && error.code === "LINK_LOST");

function race(attempts: readonly Attempt[], signal?: AbortSignal) {
  const givenBack: TurnAnswer[] = [];
  const result = firstAnswer({ attempts, signal, isFatal, giveBack: (late) => givenBack.push(late) });
  return { result, givenBack };
}

test("the first answer wins, the other wait is stopped, and its late answer is given back", async () => {
  const [one, other] = [open(), open()];
  const { result, givenBack } = race([one.attempt, other.attempt]);

  other.resolve(answer("other"));
  expect((await result).session.name).toBe("other");
  expect(one.isStopped()).toBe(true);

  one.resolve(answer("one"));
  await expect.poll(() => givenBack).toEqual([answer("one")]);
});

test("what happened wins over a deadline that was reported first, which is given back", async () => {
  const [one, other] = [open(), open()];
  const { result, givenBack } = race([one.attempt, other.attempt]);

  one.resolve(answer("one", "deadline"));
  other.resolve(answer("other"));

  expect((await result).session.name).toBe("other");
  expect(givenBack).toEqual([answer("one", "deadline")]);
});

test("a deadline does not wait for a place that does not answer", async () => {
  const [one, silent] = [open(), open()];
  const { result } = race([one.attempt, silent.attempt]);

  one.resolve(answer("one", "deadline"));

  expect((await result).session.name).toBe("one");
  expect(silent.isStopped()).toBe(true);
});

test("attempts without anything to wait for leave the others to answer", async () => {
  const [one, other, lost] = [open(), open(), open()];
  const { result } = race([one.attempt, other.attempt, lost.attempt]);

  one.reject(nothing);
  lost.reject(new LimpetError("LINK_LOST", "The link broke."));
  other.resolve(answer("other"));

  expect((await result).session.name).toBe("other");
});

test("without an answer, the error that says most is thrown", async () => {
  const [one, lost] = [open(), open()];
  const { result } = race([one.attempt, lost.attempt]);

  one.reject(nothing);
  lost.reject(new LimpetError("LINK_LOST", "The link broke."));

  await expect(result).rejects.toMatchObject({ code: "LINK_LOST" });
});

test("an unknown session ends all waits at once", async () => {
  const [one, other] = [open(), open()];
  const { result } = race([one.attempt, other.attempt]);

  one.reject(new LimpetError("SESSION_NOT_FOUND", "No session."));

  await expect(result).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
  expect(other.isStopped()).toBe(true);
});

test("an abort stops all waits with its reason", async () => {
  const stop = new AbortController();
  const attempts = [0, 1].map(
    (): Attempt => (signal) => {
      const { promise, reject } = deferred<TurnAnswer>();
      signal.addEventListener("abort", () => reject(signal.reason));
      return promise;
    },
  );
  const { result } = race(attempts, stop.signal);

  stop.abort(new Error("enough"));

  await expect(result).rejects.toThrow("enough");
});
