import { expect, test } from "vitest";
import { WorkPace } from "./work-pace.ts";

const pace = () => new WorkPace({ part: 0.2, atOnceMs: 20 });

test("work up to the limit needs no rest, and more is followed by one", () => {
  const work = pace();
  work.note(20, 0);
  expect(work.restMs(0)).toBe(0);

  work.note(1, 0);

  expect(work.restMs(0)).toBe(5);
  expect(work.restMs(5)).toBe(0);
});

test("pauses between tasks do not hide how much they take together", () => {
  const work = pace();
  let nowMs = 0;
  // Half of the time, in tasks of 5 ms.
  for (let task = 0; task < 20; task += 1, nowMs += 10) work.note(5, nowMs);

  expect(work.restMs(nowMs)).toBeGreaterThan(0);
});

test("tasks that take less than their part together never wait", () => {
  const work = pace();
  const rests: number[] = [];
  for (let nowMs = 0; nowMs < 10_000; nowMs += 50) {
    work.note(9, nowMs);
    rests.push(work.restMs(nowMs));
  }

  expect(Math.max(...rests)).toBe(0);
});
