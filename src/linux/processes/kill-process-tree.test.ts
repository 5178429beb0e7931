import fc from "fast-check";
import { expect, test } from "vitest";
import { stageAt } from "./kill-process-tree.ts";

test("hang-up comes first, then TERM, then KILL", () => {
  const at = (nowMs: number) => stageAt({ startedMs: 1_000, nowMs, killAtMs: 2_000, first: "SIGHUP" });

  expect([at(1_000), at(1_249), at(1_250), at(1_999), at(2_000), at(9_000)]).toEqual([
    "SIGHUP",
    "SIGHUP",
    "SIGTERM",
    "SIGTERM",
    "SIGKILL",
    "SIGKILL",
  ]);
});

test("on request TERM comes first, and has half of the time before the hang-up", () => {
  const at = (nowMs: number) => stageAt({ startedMs: 0, nowMs, killAtMs: 2_000, first: "SIGTERM" });

  expect([at(0), at(999), at(1_000), at(1_999), at(2_000)]).toEqual([
    "SIGTERM",
    "SIGTERM",
    "SIGHUP",
    "SIGHUP",
    "SIGKILL",
  ]);
});

test("without grace the first signal is KILL", () => {
  expect(stageAt({ startedMs: 5, nowMs: 5, killAtMs: 5, first: "SIGHUP" })).toBe("SIGKILL");
});

test("the signals keep their order", () => {
  const times = fc.integer({ min: 0, max: 10_000 });
  for (const order of [
    ["SIGHUP", "SIGTERM", "SIGKILL"],
    ["SIGTERM", "SIGHUP", "SIGKILL"],
  ] as const) {
    fc.assert(
      fc.property(times, times, times, (graceMs, nowMs, later) => {
        const stage = (atMs: number) =>
          order.indexOf(stageAt({ startedMs: 0, nowMs: atMs, killAtMs: graceMs, first: order[0] }));
        expect(stage(nowMs + later)).toBeGreaterThanOrEqual(stage(nowMs));
      }),
    );
  }
});
