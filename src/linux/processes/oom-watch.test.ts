import { expect, test } from "vitest";
import { hasGrown } from "./oom-watch.ts";

test.each([
  [{ machine: 3, group: undefined }, { machine: 4, group: undefined }, true],
  [{ machine: 3, group: undefined }, { machine: 3, group: undefined }, false],
  [{ machine: 3, group: 1 }, { machine: 4, group: 2 }, true],
  [{ machine: 3, group: 1 }, { machine: 4, group: 1 }, false],
  [{ machine: 3, group: 1 }, { machine: 4, group: undefined }, true],
])("from %j to %j a process of ours was killed for lack of memory: %j", (before, after, isOurs) => {
  expect(hasGrown(before, after)).toBe(isOurs);
});
