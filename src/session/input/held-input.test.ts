import { expect, test, vi } from "vitest";
import { HeldInput } from "./held-input.ts";

const exactly = (bytes: number) => ({ bytes, isExact: true });
const atLeast = (bytes: number) => ({ bytes, isExact: false });

/** Time for the kernel to move what was written to where it is reported. */
function settle(): void {
  vi.advanceTimersByTime(60);
}

test("what the kernel does not report of a full terminal is what was written", () => {
  const held = new HeldInput();
  held.add(13_824, undefined);

  expect(held.unreadBytes(atLeast(4_095))).toBe(13_824);
});

test("a kernel that reports little reports all of it, once it has had time", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const held = new HeldInput();
  held.add(100, undefined);

  expect(held.unreadBytes(exactly(30))).toBe(100);
  settle();
  expect(held.unreadBytes(exactly(30))).toBe(30);
  expect(held.unreadBytes(exactly(0))).toBe(0);
  vi.useRealTimers();
});

test("input of others in the same terminal is not counted", () => {
  expect(new HeldInput().unreadBytes(exactly(37))).toBe(0);
});

test("each write is told how much of it the program never read", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const held = new HeldInput();
  const told: string[] = [];
  held.add(50, (bytes) => told.push(`first ${bytes}`));
  held.add(60, (bytes) => told.push(`second ${bytes}`));
  settle();

  const discarded = held.discard(exactly(80));

  expect({ discarded, told }).toEqual({ discarded: 80, told: ["first 20", "second 60"] });
  expect(held.discard(exactly(80))).toBe(0);
  vi.useRealTimers();
});
