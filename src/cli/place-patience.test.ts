import { expect, test } from "vitest";
import { patienceAt } from "./place-patience.ts";

test("a place has 15 s to answer, in proportion more on a busy machine, and a minute at most", () => {
  expect([0, 0.5, 1, 2, 30].map(patienceAt)).toEqual([15_000, 15_000, 15_000, 30_000, 60_000]);
});
