import { expect, test } from "vitest";
import { MAX_ARRIVAL_TIMES } from "../base/limits.ts";
import { Arrivals } from "./arrivals.ts";

test("a reader that forgets what it has read gets precise times, however long it reads", () => {
  const arrivals = new Arrivals(1);
  const times: number[] = [];
  for (let index = 0; index < 100_000; index += 1) {
    arrivals.note(index, index);
    times.push(...arrivals.times(index, index + 1).map(({ atMs }) => atMs));
    arrivals.forget(index + 1);
  }

  expect(times).toEqual(Array.from({ length: 100_000 }, (_, index) => index));
});

test("times become precise again once a reader that fell behind has caught up", () => {
  const arrivals = new Arrivals(1);
  for (let index = 0; index < 10 * MAX_ARRIVAL_TIMES; index += 1) arrivals.note(index, index);
  const end = 10 * MAX_ARRIVAL_TIMES;

  const late = arrivals.times(0, end);
  arrivals.forget(end);
  for (const index of [end, end + 1, end + 2]) arrivals.note(index, index);

  expect(late.length).toBeLessThanOrEqual(MAX_ARRIVAL_TIMES);
  expect(late.every(({ from, atMs }) => from === atMs)).toBe(true);
  expect(arrivals.times(end, end + 3).map(({ atMs }) => atMs)).toEqual([end, end + 1, end + 2]);
});

test("output that is not read yet keeps the time of the piece that it arrived with", () => {
  const arrivals = new Arrivals(10);
  arrivals.note(0, 100);
  arrivals.note(5, 104);

  arrivals.forget(5);

  expect(arrivals.times(5, 8)).toEqual([{ from: 5, to: 8, atMs: 100 }]);
});
