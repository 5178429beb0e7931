import fc from "fast-check";
import { expect, test } from "vitest";
import { stageAt } from "./kill-process-tree.ts";

test("hang-up comes first, then TERM, then KILL", () => {
  const at = (nowMs: number) => stageAt({ startedMs: 1_000, nowMs, killAtMs: 2_000 });

  expect([at(1_000), at(1_249), at(1_250), at(1_999), at(2_000), at(9_000)]).toEqual([
    "SIGHUP",
    "SIGHUP",
    "SIGTERM",
    "SIGTERM",
    "SIGKILL",
    "SIGKILL",
  ]);
});

test("without grace the first signal is KILL", () => {
  expect(stageAt({ startedMs: 5, nowMs: 5, killAtMs: 5 })).toBe("SIGKILL");
});

test("a later signal is never weaker", () => {
  const order = ["SIGHUP", "SIGTERM", "SIGKILL"];
  const times = fc.integer({ min: 0, max: 10_000 });
  fc.assert(
    fc.property(times, times, times, (graceMs, first, later) => {
      const stage = (nowMs: number) => order.indexOf(stageAt({ startedMs: 0, nowMs, killAtMs: graceMs }));
      expect(stage(first + later)).toBeGreaterThanOrEqual(stage(first));
    }),
  );
});
