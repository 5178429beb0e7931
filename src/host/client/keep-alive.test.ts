import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { KeepAlive } from "./keep-alive.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watched(unsentBytes: () => number = () => 0) {
  const [ask, onDead] = [vi.fn(), vi.fn()];
  const keepAlive = new KeepAlive({ everyMs: 15_000, maxMissed: 3, ask, unsentBytes, onDead });
  return { keepAlive, ask, onDead };
}

test("a connection without a sign of life is dead after the third missed answer", () => {
  const { ask, onDead } = watched();

  vi.advanceTimersByTime(45_000);
  expect([ask.mock.calls.length, onDead.mock.calls.length]).toEqual([3, 0]);
  vi.advanceTimersByTime(15_000);

  expect([ask.mock.calls.length, onDead.mock.calls.length]).toEqual([3, 1]);
});

test("anything that comes counts as a sign of life", () => {
  const { keepAlive, onDead } = watched();

  for (let n = 0; n < 20; n += 1) {
    vi.advanceTimersByTime(30_000);
    keepAlive.heard();
  }

  expect(onDead).not.toHaveBeenCalled();
});

test("a long request that is still being sent is not a dead connection, one that is stuck is", () => {
  let unsent = 10_000;
  const { onDead } = watched(() => unsent);

  for (; unsent > 1_000; unsent -= 1_000) vi.advanceTimersByTime(15_000);
  expect(onDead).not.toHaveBeenCalled();
  vi.advanceTimersByTime(60_000);

  expect(onDead).toHaveBeenCalledOnce();
});
