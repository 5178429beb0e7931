import { expect, test } from "vitest";
import { judgeInputState } from "./judge-input-state.ts";
import type { TerminalObservation } from "./observe-terminal.ts";

const LINES = { isCanonical: true, isEchoing: true };
const SECRET = { isCanonical: true, isEchoing: false };
const KEYS = { isCanonical: false, isEchoing: false };
const ECHOED_KEYS = { isCanonical: false, isEchoing: true };
const reader = (call: "read" | "poll" | "select" | "epoll") => ({ pid: 9, call, runs: "9 100" });

test.each([
  [LINES, "read", "line", true],
  [LINES, "poll", "none", true],
  [LINES, "select", "none", true],
  [LINES, "epoll", "none", true],
  [SECRET, "read", "password", true],
  [SECRET, "poll", "password", false],
  [SECRET, "select", "password", false],
  [SECRET, "epoll", "password", false],
  [KEYS, "read", "key", false],
  [KEYS, "poll", "key", false],
  [KEYS, "select", "key", false],
  [KEYS, "epoll", "key", false],
  [ECHOED_KEYS, "read", "key", false],
] as const)("%o and %s mean %s, certain: %s", (mode, call, state, isCertain) => {
  const verdict = judgeInputState({ mode, reader: reader(call), hasUnreadInput: false });

  expect(verdict).toMatchObject({ state, isCertain });
});

test.each<[string, TerminalObservation | undefined, string]>([
  ["no terminal to observe", undefined, "unknown"],
  ["a terminal that is gone", { mode: undefined, reader: reader("read"), hasUnreadInput: false }, "none"],
  ["nobody who waits", { mode: KEYS, reader: "none", hasUnreadInput: false }, "none"],
  ["a process that we may not observe", { mode: LINES, reader: "unknown", hasUnreadInput: false }, "unknown"],
  ["input that was not read yet", { mode: LINES, reader: reader("read"), hasUnreadInput: true }, "none"],
])("%s is certain", (_, observation, state) => {
  expect(judgeInputState(observation)).toMatchObject({ state, isCertain: true });
});

test("the verdict carries the process, its call, the relay and the mode", () => {
  const relayed = { ...reader("epoll"), relay: "3 7" };

  expect(judgeInputState({ mode: KEYS, reader: relayed, hasUnreadInput: false }).basis).toEqual({
    kind: "reader",
    pid: 9,
    call: "epoll",
    isRelayed: true,
    mode: KEYS,
  });
});

test("two observations have one fingerprint only if the same thread has not run between them", () => {
  const fingerprint = (runs: string) =>
    judgeInputState({ mode: KEYS, reader: { pid: 9, call: "read", runs }, hasUnreadInput: false }).fingerprint;

  expect(fingerprint("9 100")).toBe(fingerprint("9 100"));
  expect(new Set([fingerprint("9 100"), fingerprint("9 101"), fingerprint("10 100")]).size).toBe(3);
});
