import { expect, test } from "vitest";
import { activitySince } from "./activity-since.ts";

const at = (atMs: number, workMs: number, children: readonly number[] = [], isRunning = false) => ({
  atMs,
  activity: { workMs, isRunning, posture: "", children },
});
const KNOWN = new Set([8]);

test.each([
  ["no work", at(0, 100), at(100, 100), "idle"],
  ["a little work", at(0, 100), at(100, 120), "idle"],
  ["work for half of the time", at(0, 100), at(100, 150), "busy"],
  ["work in too short a time to say", at(0, 100), at(10, 108), "idle"],
  ["a thread that runs now", at(0, 100), at(100, 100, [], true), "busy"],
  ["a child from before", at(0, 100), at(100, 100, [8]), "idle"],
  ["a new child", at(0, 100), at(100, 100, [8, 9]), "started"],
] as const)("%s is %4$s", (_, before, now, activity) => {
  expect(activitySince(before, now, KNOWN)).toBe(activity);
});
