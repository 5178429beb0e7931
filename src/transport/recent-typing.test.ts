import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isTypingElsewhere, noteTyping } from "./recent-typing.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
  vi.advanceTimersByTime(60_000);
});
afterEach(() => vi.useRealTimers());

test("typing counts for every program but the one that was typed into", () => {
  noteTyping(5);

  expect([isTypingElsewhere(5), isTypingElsewhere(6), isTypingElsewhere()]).toEqual([false, true, true]);
});

test("whoever types into two programs is heard by both", () => {
  noteTyping(5);
  noteTyping(6);
  noteTyping(6);

  expect([isTypingElsewhere(5), isTypingElsewhere(6)]).toEqual([true, true]);
});

test("typing is forgotten after a moment", () => {
  noteTyping(5);

  vi.advanceTimersByTime(100);

  expect(isTypingElsewhere(6)).toBe(false);
});
