import { expect, test } from "vitest";
import type { FileKind } from "./file-kind.ts";
import { judgeInputState, judgeQuery } from "./judge-input-state.ts";
import type { TerminalObservation } from "./observe-terminal.ts";

const LINES = { isCanonical: true, isEchoing: true };
const SECRET = { isCanonical: true, isEchoing: false };
const KEYS = { isCanonical: false, isEchoing: false };
const ECHOED_KEYS = { isCanonical: false, isEchoing: true };

type Call = "read" | "poll" | "select" | "epoll";
const alone = (call: Call) => ({ pid: 9, name: "cat", call, runs: "9 100", threads: 1, others: [] });
const among = (call: Call, ...others: FileKind[]) => ({ ...alone(call), others });
const threaded = (call: Call) => ({ ...alone(call), threads: 11 });
const judge = (observation: Omit<TerminalObservation, "hasUnreadInput">) =>
  judgeInputState({ hasUnreadInput: false, ...observation });

test.each([
  [LINES, alone("read"), "line", "once"],
  [LINES, alone("poll"), "line", "twice"],
  [LINES, alone("select"), "line", "twice"],
  [LINES, alone("epoll"), "line", "twice"],
  [LINES, threaded("read"), "line", "quiet"],
  [LINES, among("epoll", "wake-up", "wake-up"), "line", "quiet"],
  [LINES, { ...alone("epoll"), timeoutMs: 8_000 }, "line", "quiet"],
  [LINES, { ...alone("epoll"), timeoutMs: 500 }, "none", "once"],
  [LINES, among("epoll", "listening"), "none", "once"],
  [LINES, among("poll", "network"), "none", "once"],
  [LINES, among("select", "wake-up", "other"), "none", "once"],
  [SECRET, alone("read"), "password", "once"],
  [SECRET, alone("poll"), "password", "twice"],
  [SECRET, among("epoll", "other"), "password", "twice"],
  [SECRET, threaded("read"), "password", "quiet"],
  [KEYS, alone("read"), "key", "twice"],
  [KEYS, alone("select"), "key", "twice"],
  [KEYS, { ...alone("poll"), timeoutMs: 1_500 }, "key", "quiet"],
  [KEYS, among("epoll", "wake-up"), "key", "quiet"],
  [KEYS, threaded("read"), "key", "quiet"],
  [ECHOED_KEYS, alone("read"), "key", "twice"],
] as const)("%o and %o mean %s, believed %s", (mode, reader, state, certainty) => {
  expect(judge({ mode, reader })).toMatchObject({ state, certainty });
});

test.each([
  [LINES, alone("read"), "line"],
  [SECRET, alone("read"), "password"],
  [KEYS, alone("select"), "key"],
] as const)(
  "%o and %o behind a relay mean %s, believed when seen again: output may be on its way",
  (mode, reader, state) => {
    expect(judge({ mode, reader: { ...reader, relay: "3 7" } })).toMatchObject({ state, certainty: "twice" });
  },
);

test("a program that looks for keys between its own steps is not certain to wait", () => {
  expect(judge({ mode: KEYS, reader: alone("read"), readsInSteps: true })).toMatchObject({
    state: "key",
    certainty: "quiet",
  });
});

test.each([
  [KEYS, among("poll", "network"), "unknown", "quiet"],
  [KEYS, alone("read"), "unknown", "quiet"],
  [LINES, among("poll", "network"), "unknown", "quiet"],
  [LINES, alone("read"), "line", "once"],
  [SECRET, alone("read"), "password", "once"],
] as const)("%o and a client in %o mean %s, believed %s", (mode, reader, state, certainty) => {
  expect(judge({ mode, reader: { ...reader, isFar: true } })).toMatchObject({ state, certainty });
});

test.each([
  [KEYS, alone("read"), "key", "arrived"],
  [LINES, alone("read"), "line", "arrived"],
  [SECRET, alone("read"), "password", "arrived"],
  [KEYS, threaded("epoll"), "key", "quiet"],
] as const)("%o and a program in a container in %o mean %s, believed %s", (mode, reader, state, certainty) => {
  const contained = { ...reader, relay: "3 7", innerPath: "/dev/pts/0", isContained: true };

  expect(judge({ mode, reader: contained })).toMatchObject({ state, certainty });
});

test.each([
  [SECRET, "password"],
  [LINES, "unknown"],
  [KEYS, "unknown"],
] as const)("of a program that nobody may observe only the mode is known: %o means %s", (mode, state) => {
  expect(judge({ mode, reader: "unknown" })).toMatchObject({ state, certainty: "quiet", basis: { kind: "hidden" } });
});

test.each<[string, TerminalObservation | undefined, string]>([
  ["no terminal to observe", undefined, "unknown"],
  ["a terminal that is gone", { mode: undefined, reader: alone("read"), hasUnreadInput: false }, "none"],
  ["nobody who waits", { mode: KEYS, reader: "none", hasUnreadInput: false }, "none"],
  ["input that was not read yet", { mode: LINES, reader: alone("read"), hasUnreadInput: true }, "none"],
])("%s is certain", (_, observation, state) => {
  expect(judgeInputState(observation)).toMatchObject({ state, certainty: "once" });
});

test("the verdict carries the process, its call, the relay and the mode", () => {
  const relayed = { ...alone("epoll"), thread: 12, relay: "3 7" };

  expect(judge({ mode: KEYS, reader: relayed }).basis).toEqual({
    kind: "reader",
    pid: 9,
    name: "cat",
    call: "epoll",
    isRelayed: true,
    isFar: false,
    isSideThread: true,
    isTimed: false,
    isConcurrent: false,
    mode: KEYS,
  });
});

test("two observations have one fingerprint only if the same thread has not run between them", () => {
  const fingerprint = (runs: string) => judge({ mode: KEYS, reader: { ...alone("read"), runs } }).fingerprint;

  expect(fingerprint("9 100")).toBe(fingerprint("9 100"));
  expect(new Set([fingerprint("9 100"), fingerprint("9 101"), fingerprint("10 100")]).size).toBe(3);
});

test("a program that reads the answer of its terminal waits for something unknown", () => {
  const verdict = judgeQuery(judge({ mode: KEYS, reader: alone("read") }), "unknown");

  expect(verdict).toMatchObject({ state: "unknown", certainty: "quiet", basis: { kind: "asks-terminal", pid: 9 } });
});
