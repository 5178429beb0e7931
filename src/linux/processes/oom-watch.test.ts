import { expect, test } from "vitest";
import { countsBefore, hasGrown } from "./oom-watch.ts";

test.each([
  [{ machine: 3, group: undefined }, { machine: 4, group: undefined }, true],
  [{ machine: 3, group: undefined }, { machine: 3, group: undefined }, false],
  [{ machine: 3, group: 1 }, { machine: 4, group: 2 }, true],
  [{ machine: 3, group: 1 }, { machine: 4, group: 1 }, false],
  [{ machine: 3, group: 1 }, { machine: 4, group: undefined }, true],
])("from %j to %j a process of ours was killed for lack of memory: %j", (before, after, isOurs) => {
  expect(hasGrown(before, after)).toBe(isOurs);
});

test.each([
  [2, "read"],
  [9, "read"],
  [10, "earlier"],
  [5_000, "earlier"],
] as const)("counters that are read %i ms after a start stand for the ones before it: %s", (readAfterMs, expected) => {
  const readings = { earlier: { machine: 3, group: undefined }, read: { machine: 4, group: undefined } };

  expect(countsBefore({ ...readings, readAfterMs })).toEqual(readings[expected]);
});
