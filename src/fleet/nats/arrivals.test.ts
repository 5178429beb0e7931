import { expect, test } from "vitest";
import { Arrivals } from "./arrivals.ts";

const sent = (sentMs: number, clock = "a") => ({ clock, sentMs, withinMs: 5_000 });

test("a request that was on its way for longer than its sender waits is late, however the clocks differ", () => {
  for (const offset of [-1e9, 0, 1e9]) {
    const arrivals = new Arrivals();
    const isLate = (sentMs: number, nowMs: number) => arrivals.isLate(sent(sentMs + offset), nowMs);

    expect([isLate(1_000, 1_010), isLate(2_000, 7_009), isLate(3_000, 9_000), isLate(9_000, 9_010)]).toEqual([
      false,
      false,
      true,
      false,
    ]);
  }
});

test("a sender of whose clock nothing is known is not late, and others tell nothing about it", () => {
  const arrivals = new Arrivals();

  expect(arrivals.isLate(sent(1_000, "a"), 1_000)).toBe(false);
  expect(arrivals.isLate(sent(1_000, "b"), 90_000)).toBe(false);
});

test("clocks that drift apart over hours make nobody late", () => {
  const arrivals = new Arrivals();
  const minutes = Array.from({ length: 48 * 60 }, (_, minute) => minute * 60_000);

  expect(minutes.filter((ms) => arrivals.isLate(sent(ms), ms * 1.0005))).toEqual([]);
});

test("a clock that nobody heard of for minutes is learned again", () => {
  const arrivals = new Arrivals();
  arrivals.isLate(sent(1_000), 1_000);

  expect(arrivals.isLate(sent(200_000), 900_000)).toBe(false);
});
