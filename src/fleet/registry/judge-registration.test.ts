import { expect, test } from "vitest";
import { judgeRegistration } from "./judge-registration.ts";
import type { MemberRecord } from "./records.ts";

const own = { epoch: 5, instance: "i5", publicKey: "key" };
const entry: MemberRecord = { ...own, name: "gpu-1", duty: "open", labels: [], sessions: 0, lastSeenMs: 0 };

test.each<[string, MemberRecord | undefined, string]>([
  ["a new host registers", undefined, "register"],
  ["a host registers again", entry, "register"],
  ["a host that was started again replaces its former self", { ...entry, epoch: 4, instance: "i4" }, "register"],
  ["a process that was replaced is fenced", { ...entry, epoch: 6, instance: "i6" }, "fenced"],
  ["the second process of one epoch is fenced", { ...entry, instance: "copy" }, "fenced"],
  ["an epoch that was given up is fenced", { ...entry, givenUpEpoch: 5 }, "fenced"],
  ["an epoch after one that was given up registers", { ...entry, epoch: 4, givenUpEpoch: 4 }, "register"],
  ["the name of another host is taken, whatever its epoch", { ...entry, publicKey: "other", epoch: 1 }, "taken"],
])("%s", (_, found, verdict) => {
  expect(judgeRegistration(own, found)).toBe(verdict);
});
