import { expect, test } from "vitest";
import { handAlarm } from "../../test/support/hand-alarm.ts";
import { MAX_TIMER_MS } from "../base/limits.ts";
import type { SessionLimits } from "../base/session-limits.ts";
import type { Usage } from "../transport/transport.ts";
import type { CloseOptions } from "./lifetime.ts";
import { LimitWatch, nextCheckMs, reachedLimit, watchedLimits } from "./limit-watch.ts";

const NOTHING: Usage = { processes: 1, memoryBytes: 0, cpuMs: 0 };

function watched(limits: SessionLimits, usage: () => Usage = () => NOTHING) {
  const hand = handAlarm();
  const closes: CloseOptions[] = [];
  let exit: () => void = () => undefined;
  const exited = new Promise<void>((resolve) => {
    exit = resolve;
  });
  const watch = new LimitWatch(
    {
      limits,
      enforced: {},
      exited,
      usage: async () => usage(),
      close: async (options) => void closes.push(options),
    },
    hand.alarm,
  );
  return { hand, closes, exit, watch };
}

test("the wall time ends a session when it is over, and not before", async () => {
  const { hand, closes } = watched({ wallTime: 7_200_000 });

  await hand.pass(7_199_999);
  expect(closes).toEqual([]);
  await hand.pass(1);
  expect(closes).toEqual([{ reason: "limit", limit: "wallTime", force: false }]);
});

test("a wall time beyond the longest timer of Node is kept", async () => {
  const { hand, closes } = watched({ wallTime: 3 * MAX_TIMER_MS });

  await hand.pass(3 * MAX_TIMER_MS - 1);
  expect(closes).toEqual([]);
  await hand.pass(1);
  expect(closes).toHaveLength(1);
});

test("a session that has ended is not ended again", async () => {
  const { hand, closes, exit } = watched({ wallTime: 1_000, processes: 5 });

  exit();
  await hand.pass(0);
  await hand.pass(10_000);
  expect(closes).toEqual([]);
});

test.each([
  ["processes", { processes: 200 }, { ...NOTHING, processes: 201 }, true],
  ["memory", { memory: 1024 ** 3 }, { ...NOTHING, memoryBytes: 1024 ** 3 + 1 }, true],
  ["cpuTime", { cpuTime: 60_000 }, { ...NOTHING, cpuMs: 60_000 }, false],
] as const)("a session that uses more than its %s is ended with that reason", async (limit, limits, usage, force) => {
  let now: Usage = NOTHING;
  const { hand, closes } = watched(limits, () => now);

  await hand.pass(5_000);
  expect(closes).toEqual([]);
  now = usage;
  await hand.pass(5_000);
  expect(closes).toEqual([{ reason: "limit", limit, force }]);
});

test("exactly the limit is allowed", () => {
  const limits = { processes: 3, memory: 1_000_000_000 };

  expect(reachedLimit({ processes: 3, memoryBytes: 1_000_000_000, cpuMs: 9e9 }, limits)).toBeUndefined();
});

test("what the control group enforces is not watched", () => {
  const limits = { memory: 1, processes: 2, cpuTime: 3, fileSize: 4 };

  expect(watchedLimits({ limits, enforced: { memory: { value: 1, by: "cgroup" } } })).toEqual({
    processes: 2,
    cpuTime: 3,
  });
});

test("CPU time is looked at when all processors together could have used it up", () => {
  expect(nextCheckMs({ ...NOTHING, cpuMs: 59_000 }, { cpuTime: 60_000 }, 4)).toBe(250);
  expect(nextCheckMs({ ...NOTHING, cpuMs: 59_999 }, { cpuTime: 60_000 }, 4)).toBe(100);
  expect(nextCheckMs(NOTHING, { cpuTime: 6_000_000 }, 4)).toBe(5_000);
  expect(nextCheckMs(NOTHING, { fileSize: 1 } as SessionLimits, 4)).toBeUndefined();
});
