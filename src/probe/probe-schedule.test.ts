import { expect, test } from "vitest";
import type { InputVerdict } from "./judge-input.ts";
import { ProbeSchedule } from "./probe-schedule.ts";

const none: InputVerdict = { state: "none", isCertain: true, evidence: "nobody", fingerprint: "" };
const key = (fingerprint: string, call = "read"): InputVerdict => ({
  state: "key",
  isCertain: false,
  evidence: `process 1 waits in ${call} for a terminal`,
  fingerprint,
});

/** Looks whenever one is due, for `forMs`; nothing else happens. Gives the times of the looks. */
function looksDuring(rhythm: ProbeSchedule, fromMs: number, forMs: number): number[] {
  const times: number[] = [];
  const moment = { lastEventMs: fromMs, end: 0, isFresh: false };
  for (let nowMs = fromMs; nowMs < fromMs + forMs; nowMs = Math.max(nowMs + 0.05, rhythm.dueMs)) {
    rhythm.note({ ...moment, nowMs });
    rhythm.believes(none, { ...moment, nowMs });
    times.push(nowMs);
  }
  return times;
}

test("the first look is due at once", () => {
  const rhythm = new ProbeSchedule();
  rhythm.note({ nowMs: 50, lastEventMs: 10, end: 0, isFresh: false });

  expect(rhythm.dueMs).toBeLessThanOrEqual(50);
});

test("a program that has printed nothing yet is left alone for its first moments", () => {
  const rhythm = new ProbeSchedule();
  rhythm.note({ nowMs: 10.5, lastEventMs: 10, end: 0, isFresh: true });

  expect(rhythm.dueMs).toBe(13);
});

test("looks slow down with the silence, to one in ten seconds", () => {
  const times = looksDuring(new ProbeSchedule(), 1, 3_600_000);
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));

  expect(times.filter((time) => time < 2).length).toBeGreaterThan(5);
  expect(times.length).toBeLessThan(500);
  expect(Math.max(...gaps)).toBeLessThan(10_001);
});

test("no look is later than an eighth of the silence before it", () => {
  const times = looksDuring(new ProbeSchedule(), 0, 30_000).slice(10);

  for (const [index, time] of times.slice(1).entries()) {
    const before = times[index] ?? 0;
    expect(time - before).toBeLessThanOrEqual(Math.max(1, before / 8) + 0.1);
  }
});

test("sessions that have been silent for long are all looked at in the same moment", () => {
  const last = [0, 123, 4_567, 9_999].map(
    (fromMs) => looksDuring(new ProbeSchedule(), fromMs, 600_000 - fromMs).at(-1) ?? 0,
  );

  expect(Math.max(...last) - Math.min(...last)).toBeLessThan(1);
});

test("output makes a look due at once again", () => {
  const rhythm = new ProbeSchedule();
  looksDuring(rhythm, 0, 60_000);
  rhythm.note({ nowMs: 60_000, lastEventMs: 59_999, end: 10, isFresh: false });

  expect(rhythm.dueMs).toBeLessThanOrEqual(60_000);
});

test("a flood is not looked at before it pauses", () => {
  const rhythm = new ProbeSchedule();
  let end = 0;
  let looks = 0;
  for (let nowMs = 0; nowMs < 100; nowMs += 0.1) {
    end += 4096;
    rhythm.note({ nowMs, lastEventMs: nowMs, end, isFresh: false });
    if (nowMs < rhythm.dueMs) continue;
    rhythm.believes(none, { nowMs, lastEventMs: nowMs, end, isFresh: false });
    looks += 1;
  }

  expect(looks).toBeLessThan(20);
  expect(rhythm.dueMs).toBeLessThan(105);
});

test("output that trickles on costs a bounded number of looks a second", () => {
  const rhythm = new ProbeSchedule();
  let looks = 0;
  for (let nowMs = 0, end = 0; nowMs < 1_000; nowMs += 0.5, end += 10) {
    rhythm.note({ nowMs, lastEventMs: nowMs, end, isFresh: false });
    if (nowMs < rhythm.dueMs) continue;
    rhythm.believes(none, { nowMs, lastEventMs: nowMs, end, isFresh: false });
    looks += 1;
  }

  expect(looks).toBeLessThanOrEqual(130);
});

test("what is certain is believed at once", () => {
  const line: InputVerdict = { state: "line", isCertain: true, evidence: "", fingerprint: "1" };

  expect(new ProbeSchedule().believes(line, { nowMs: 1, lastEventMs: 0, end: 0, isFresh: false })).toBe(true);
});

test("a key is believed when a second look finds the same, with no output between", () => {
  const rhythm = new ProbeSchedule();
  const seen = [
    rhythm.believes(key("a"), { nowMs: 1, lastEventMs: 0, end: 0, isFresh: false }),
    rhythm.believes(key("b"), { nowMs: 1.1, lastEventMs: 0, end: 0, isFresh: false }),
    rhythm.believes(key("b"), { nowMs: 1.2, lastEventMs: 1.15, end: 5, isFresh: false }),
    rhythm.believes(key("b"), { nowMs: 1.3, lastEventMs: 1.15, end: 5, isFresh: false }),
  ];

  expect(seen).toEqual([false, false, false, true]);
});

test("a key that somebody waits for in epoll must stay the same for some milliseconds", () => {
  const rhythm = new ProbeSchedule();
  const at = (nowMs: number) => rhythm.believes(key("a", "epoll"), { nowMs, lastEventMs: 0, end: 0, isFresh: false });

  expect([at(1), at(2), at(6.9), at(7)]).toEqual([false, false, false, true]);
});
