import { expect, test } from "vitest";
import { postureOf, readActivity } from "./read-activity.ts";

test("a process that computes has worked, and is running while it looks at itself", async () => {
  const workedMs = () => {
    const before = readActivity(process.pid);
    for (const endMs = performance.now() + 30; performance.now() < endMs; );
    return readActivity(process.pid).workMs - before.workMs;
  };

  // Another thread of this process may end meanwhile, and its work with it.
  await expect.poll(workedMs).toBeGreaterThan(0);
  expect(readActivity(process.pid).isRunning).toBe(true);
});

test("a process that has ended has done nothing", () => {
  expect(readActivity(2 ** 30)).toEqual({ workMs: 0, isRunning: false, posture: "", children: [] });
});

test.each([
  ["232 0x5 0x7ffc0010 0x400 0xfa0 0x0 0x8 0x7ffc1234 0x7f3a80d0\n", "232 0x7ffc1234"],
  ["running\n", ""],
  ["-1 0x7ffc1234 0x7f3a80d0\n", ""],
  ["", ""],
])("the posture of %j is %j", (syscall, posture) => {
  expect(postureOf(syscall)).toBe(posture);
});
