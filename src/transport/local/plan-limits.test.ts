import { expect, test } from "vitest";
import { enforcedLimits, explainLimit } from "./plan-limits.ts";

const LIMITS = { cpuTime: 1_000, fileSize: 1024, memory: 1024 ** 3, processes: 5, wallTime: 1_000 };

test.each([
  [{ kind: "signal", signal: "SIGXCPU" }, "cpuTime"],
  [{ kind: "code", code: 152 }, "cpuTime"],
  [{ kind: "signal", signal: "SIGXFSZ" }, "fileSize"],
  [{ kind: "code", code: 153 }, "fileSize"],
] as const)("%j is the limit of %s", (exit, limit) => {
  expect(explainLimit(exit, LIMITS, [])).toEqual({ ...exit, limit });
  expect(explainLimit(exit, {}, [])).toBe(exit);
});

test("a kill counts as the limit of memory only if the group has counted one", () => {
  const exit = { kind: "signal", signal: "SIGKILL" } as const;

  expect(explainLimit(exit, LIMITS, ["memory"])).toEqual({ ...exit, limit: "memory" });
  expect(explainLimit(exit, LIMITS, [])).toBe(exit);
  expect(explainLimit({ kind: "code", code: 0 }, LIMITS, ["memory"])).toEqual({ kind: "code", code: 0 });
});

test("each limit names who enforces it", () => {
  expect(enforcedLimits(LIMITS, { inGroup: ["memory"], planned: ["memory"] })).toEqual({
    cpuTime: { value: 1_000, by: "process" },
    fileSize: { value: 1024, by: "process" },
    memory: { value: 1024 ** 3, by: "cgroup" },
    processes: { value: 5, by: "watch" },
    wallTime: { value: 1_000, by: "watch" },
  });
});
