import { expect, test } from "vitest";
import { type InputBasis, type InputVerdict, judgeUnobserved } from "./judge-input-state.ts";
import { confirmAfterMs, ProbeSchedule } from "./probe-schedule.ts";

const none = judgeUnobserved("nobody");
const reader = {
  kind: "reader",
  pid: 1,
  name: "cat",
  call: "read",
  isRelayed: false,
  isFar: false,
  isSideThread: false,
  isTimed: false,
  isConcurrent: false,
  mode: { isCanonical: false, isEchoing: false },
} as const;
const key = (fingerprint: string, change: Partial<InputBasis> = {}): InputVerdict => ({
  state: "key",
  certainty: "twice",
  basis: { ...reader, ...change } as InputBasis,
  fingerprint,
});

/** Observes whenever that is due, for `forMs`; nothing else happens. Returns the times. */
function observationsDuring(schedule: ProbeSchedule, fromMs: number, forMs: number): number[] {
  const times: number[] = [];
  const moment = { lastEventMs: fromMs, end: 0, isFresh: false };
  for (let nowMs = fromMs; nowMs < fromMs + forMs; nowMs = Math.max(nowMs + 0.05, schedule.dueMs)) {
    schedule.note({ ...moment, nowMs });
    schedule.believes(none, { ...moment, nowMs });
    times.push(nowMs);
  }
  return times;
}

test("the first observation is due at once", () => {
  const schedule = new ProbeSchedule();
  schedule.note({ nowMs: 50, lastEventMs: 10, end: 0, isFresh: false });

  expect(schedule.dueMs).toBeLessThanOrEqual(50);
});

test("a program that has printed nothing yet is left alone for its first moments", () => {
  const schedule = new ProbeSchedule();
  schedule.note({ nowMs: 10.5, lastEventMs: 10, end: 0, isFresh: true });

  expect(schedule.dueMs).toBe(13);
});

test("observations slow down with the silence, to one in ten seconds", () => {
  const times = observationsDuring(new ProbeSchedule(), 1, 3_600_000);
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));

  expect(times.filter((time) => time < 2).length).toBeGreaterThan(5);
  expect(times.length).toBeLessThan(500);
  expect(Math.max(...gaps)).toBeLessThan(10_001);
});

test("no observation is later than an eighth of the silence before it", () => {
  const times = observationsDuring(new ProbeSchedule(), 0, 30_000).slice(10);

  for (const [index, time] of times.slice(1).entries()) {
    const before = times[index] ?? 0;
    expect(time - before).toBeLessThanOrEqual(Math.max(1, before / 8) + 0.1);
  }
});

test("sessions that have been silent for long are all observed in the same moment", () => {
  const last = [0, 123, 4_567, 9_999].map(
    (fromMs) => observationsDuring(new ProbeSchedule(), fromMs, 600_000 - fromMs).at(-1) ?? 0,
  );

  expect(Math.max(...last) - Math.min(...last)).toBeLessThan(1);
});

test("output makes an observation due at once again", () => {
  const schedule = new ProbeSchedule();
  observationsDuring(schedule, 0, 60_000);
  schedule.note({ nowMs: 60_000, lastEventMs: 59_999, end: 10, isFresh: false });

  expect(schedule.dueMs).toBeLessThanOrEqual(60_000);
});

test("a flood is not observed before it pauses", () => {
  const schedule = new ProbeSchedule();
  let end = 0;
  let count = 0;
  for (let nowMs = 0; nowMs < 100; nowMs += 0.1) {
    end += 4096;
    schedule.note({ nowMs, lastEventMs: nowMs, end, isFresh: false });
    if (nowMs < schedule.dueMs) continue;
    schedule.believes(none, { nowMs, lastEventMs: nowMs, end, isFresh: false });
    count += 1;
  }

  expect(count).toBeLessThan(20);
  expect(schedule.dueMs).toBeLessThan(105);
});

test("output that trickles on costs a bounded number of observations a second", () => {
  const schedule = new ProbeSchedule();
  let count = 0;
  for (let nowMs = 0, end = 0; nowMs < 1_000; nowMs += 0.5, end += 10) {
    schedule.note({ nowMs, lastEventMs: nowMs, end, isFresh: false });
    if (nowMs < schedule.dueMs) continue;
    schedule.believes(none, { nowMs, lastEventMs: nowMs, end, isFresh: false });
    count += 1;
  }

  expect(count).toBeLessThanOrEqual(130);
});

test("a certain verdict is believed at once", () => {
  const line: InputVerdict = { state: "line", certainty: "once", basis: reader, fingerprint: "1" };

  expect(new ProbeSchedule().believes(line, { nowMs: 1, lastEventMs: 0, end: 0, isFresh: false })).toBe(true);
});

test("a wait for a key is believed when a second observation finds the same, without output in between", () => {
  const schedule = new ProbeSchedule();
  const seen = [
    schedule.believes(key("a"), { nowMs: 1, lastEventMs: 0, end: 0, isFresh: false }),
    schedule.believes(key("b"), { nowMs: 1.1, lastEventMs: 0, end: 0, isFresh: false }),
    schedule.believes(key("b"), { nowMs: 1.2, lastEventMs: 1.15, end: 5, isFresh: false }),
    schedule.believes(key("b"), { nowMs: 1.3, lastEventMs: 1.15, end: 5, isFresh: false }),
  ];

  expect(seen).toEqual([false, false, false, true]);
});

test.each([
  ["epoll", { call: "epoll" } as const, { overload: 1 }, 6],
  ["a relay, at a prompt", { isRelayed: true }, { overload: 1, isPrompted: true }, 10],
  ["a relay, without a prompt", { isRelayed: true }, { overload: 1, isPrompted: false }, 100],
  ["a relay, on an overloaded machine", { isRelayed: true }, { overload: 4, isPrompted: false }, 400],
])("a wait for a key with %s must stay the same for a while, however long the silence", (_, change, facts, needed) => {
  const schedule = new ProbeSchedule();
  const verdict = key("a", change);
  const confirmMs = confirmAfterMs(verdict, facts);
  const at = (nowMs: number) =>
    schedule.believes(verdict, { nowMs, lastEventMs: 0, end: 5, isFresh: false }, { confirmMs });

  expect(confirmMs).toBe(needed);
  expect([at(3_000), at(2_999.9 + needed), at(3_000 + needed)]).toEqual([false, false, true]);
});

test("a verdict that needs silence is believed when the silence is long enough, and observed again by then", () => {
  const schedule = new ProbeSchedule();
  const at = (nowMs: number) => {
    const moment = { nowMs, lastEventMs: 100, end: 5, isFresh: false };
    schedule.note(moment);
    return schedule.believes({ ...key("a"), certainty: "quiet" }, moment, { quietMs: 250 });
  };

  expect([at(101), at(200), at(349)]).toEqual([false, false, false]);
  expect(schedule.dueMs).toBeLessThanOrEqual(350);
  expect(at(350)).toBe(true);
});

test("a verdict that no silence proves is never believed, and observed less and less often", () => {
  const schedule = new ProbeSchedule();
  const believed = [200, 1_000, 60_000].map((nowMs) => {
    const moment = { nowMs, lastEventMs: 100, end: 5, isFresh: false };
    return schedule.believes({ ...key("a"), certainty: "quiet" }, moment, { quietMs: Number.POSITIVE_INFINITY });
  });

  expect(believed).toEqual([false, false, false]);
  expect(schedule.dueMs).toBeGreaterThan(65_000);
});

test("readers elsewhere are searched for five times in a silence, and again after new output", () => {
  const schedule = new ProbeSchedule();
  const searches = (lastEventMs: number) => {
    schedule.note({ nowMs: lastEventMs, lastEventMs, end: 5, isFresh: false });
    const times = Array.from({ length: 3_000 }, (_, index) => lastEventMs + 10 * index);
    return times.filter((nowMs) => schedule.takeSearch({ nowMs, lastEventMs, end: 5, isFresh: false }));
  };

  expect(searches(0)).toEqual([60, 180, 540, 1_620, 4_860]);
  expect(searches(100_000).length).toBe(5);
});
