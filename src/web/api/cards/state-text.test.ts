import { expect, test } from "vitest";
import { summary } from "../../../../test/support/web/summaries.ts";
import { needsPerson, stateText } from "./state-text.ts";

const MINUTE = 60_000;

test.each([
  ["running", {}],
  ["running 3 min", { ageMs: 3 * MINUTE + 59_999 }],
  ["running 1 h", { ageMs: 119 * MINUTE }],
  ["running 2 d", { ageMs: 71 * 60 * MINUTE }],
  ["running 5 min", { ageMs: 90 * MINUTE, command: "make", commandMs: 5 * MINUTE }],
  ["idle", { isIdle: true, waitingFor: "line" }],
  ["waits for input", { waitingFor: "line" }],
  ["waits for a key", { waitingFor: "key" }],
  ["running", { waitingFor: "unknown" }],
  ["waits for a password", { waitingFor: "password", held: { reason: null } }],
  ["held by a person", { held: { reason: "mine" }, isIdle: true }],
  ["running", { held: { reason: null, isTyping: true } }],
  ["frozen", { frozen: "cgroup", waitingFor: "password" }],
  ["exited with 1", { exit: { kind: "code", code: 1 } }],
  ["killed by SIGKILL (out of memory)", { exit: { kind: "signal", signal: "SIGKILL", outOfMemory: true } }],
  ["exited with 0, left 1 running", { exit: { kind: "code", code: 0 }, left: [{ pid: 1, name: "sleep" }] }],
  ["ended", { exit: { kind: "lost" } }],
  ["lost with its host", { lost: true }],
  [
    "ended by its limit of wall time",
    { exit: { kind: "signal", signal: "SIGKILL" }, limits: { enforced: {}, hits: [], endedBy: "wallTime" } },
  ],
] as const)("a session is told as %j", (text, facts) => {
  expect(stateText(summary(facts))).toBe(text);
});

test.each([
  [true, { waitingFor: "password" }, false],
  [true, {}, true],
  [true, { command: "npm init", waitingFor: "line", idleMs: MINUTE }, false],
  [false, { command: "npm init", waitingFor: "line", idleMs: MINUTE - 1 }, false],
  [false, { waitingFor: "line", idleMs: 60 * MINUTE }, false],
  [false, { command: "npm init", waitingFor: "line", idleMs: MINUTE, held: { reason: null } }, false],
  [false, { exit: { kind: "code", code: 0 }, waitingFor: "password" }, true],
] as const)("whether it needs a person: %j for %j, with an approval: %j", (isNeeded, facts, hasApproval) => {
  expect(needsPerson(summary(facts), hasApproval)).toBe(isNeeded);
});
