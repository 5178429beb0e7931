import { expect, test } from "vitest";
import { judgeInputState } from "../../probe/judge-input-state.ts";
import { apartMs } from "./input-gap.ts";

const waiting = (call: "read" | "poll" | "select" | "epoll") =>
  judgeInputState({
    mode: { isCanonical: false, isEchoing: false },
    reader: { pid: 9, name: "x", call, runs: "9 1", threads: 1, others: [] },
    hasUnreadInput: false,
  });

test("Enter after text waits out the time in which a program with an event loop takes it for a paste", () => {
  const apart = (["read", "select", "poll", "epoll"] as const).map((call) => apartMs(waiting(call), "burst") > 120);

  expect(apart).toEqual([false, false, true, true]);
});

test("a key after Escape waits out the time in which both are one key, in every program", () => {
  const apart = (["read", "select", "poll", "epoll"] as const).map((call) => apartMs(waiting(call), "escape") > 100);

  expect(apart).toEqual([true, true, true, true]);
});

test("other keys follow as soon as the program has read the one before", () => {
  expect(apartMs(waiting("epoll"), "read")).toBe(0);
});

test("a program that the kernel does not show is given time for everything", () => {
  const hidden = judgeInputState({
    mode: { isCanonical: false, isEchoing: false },
    reader: "unknown",
    hasUnreadInput: false,
  });

  expect(apartMs(hidden, "read")).toBeGreaterThan(120);
});
