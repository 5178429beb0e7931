import { expect, test } from "vitest";
import { pauseBeforeAttempt } from "./link-rules.ts";

test("pauses grow from none to 30 s, and end after about an hour", () => {
  const pauses: number[] = [];
  for (let attempt = 0; ; attempt += 1) {
    const pauseMs = pauseBeforeAttempt(attempt);
    if (pauseMs === undefined) break;
    pauses.push(pauseMs);
  }

  expect(pauses.slice(0, 8)).toEqual([0, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  expect(Math.round(pauses.reduce((sum, each) => sum + each, 0) / 60_000)).toBe(58);
});
