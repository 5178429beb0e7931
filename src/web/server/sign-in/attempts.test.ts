import { expect, test } from "vitest";
import { Attempts } from "./attempts.ts";

test("an address that fails too often waits for the rest of the time", () => {
  const clock = { ms: 0 };
  const attempts = new Attempts(() => clock.ms, { maxEach: 2, maxAll: 3, windowMs: 1_000 });
  attempts.failed("a");
  expect(attempts.waitMs("a")).toBe(0);
  clock.ms = 400;
  attempts.failed("a");

  expect([attempts.waitMs("a"), attempts.waitMs("b")]).toEqual([600, 0]);
  clock.ms = 1_000;
  expect(attempts.waitMs("a")).toBe(0);
});

test("many addresses share one limit", () => {
  const attempts = new Attempts(() => 0, { maxEach: 2, maxAll: 3, windowMs: 1_000 });
  for (const address of ["a", "b", "c"]) attempts.failed(address);

  expect(attempts.waitMs("d")).toBe(1_000);
});
