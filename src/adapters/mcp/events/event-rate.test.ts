import { expect, test } from "vitest";
import { EventRate } from "./event-rate.ts";

test("the same event is allowed once in five seconds, and the next one counts what was left out", () => {
  const rate = new EventRate();

  const verdicts = [0, 1, 4_999, 5_000].map((atMs) => rate.ask("waiting 1", atMs));

  expect(verdicts).toEqual([
    { isAllowed: true, skipped: 0 },
    { isAllowed: false },
    { isAllowed: false },
    { isAllowed: true, skipped: 2 },
  ]);
});

test("twenty events are allowed in a minute", () => {
  const rate = new EventRate();

  const allowed = Array.from({ length: 100 }, (_, n) => rate.ask(`exited ${n}`, n)).filter((each) => each.isAllowed);

  expect([allowed.length, rate.ask("exited 100", 60_000)]).toEqual([20, { isAllowed: true, skipped: 80 }]);
});
