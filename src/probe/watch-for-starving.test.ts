import { expect, test } from "vitest";
import { watchForStarving } from "./watch-for-starving.ts";

function setUp() {
  const program = { isRunning: true, workMs: 50 };
  const clock = { ms: 0 };
  const probe = { activityOf: () => program };
  return { program, clock, isStarving: watchForStarving({ probe, pid: 9, now: () => clock.ms }) };
}

test("a program that is ready to run and has not run is starving", () => {
  const { clock, isStarving } = setUp();
  clock.ms = 10_000;

  expect(isStarving()).toBe(true);
});

test("a program that has had a tenth of a second is not starving, whatever it did before", () => {
  const { program, isStarving } = setUp();
  program.workMs = 150;

  expect(isStarving()).toBe(false);
});

test("a program that sleeps is not starving", () => {
  const { program, isStarving } = setUp();
  program.isRunning = false;

  expect(isStarving()).toBe(false);
});

test("no program is waited for without end", () => {
  const { clock, isStarving } = setUp();
  clock.ms = 15_000;

  expect(isStarving()).toBe(false);
});
