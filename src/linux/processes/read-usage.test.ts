import { expect, test } from "vitest";
import { cpuOf, ownMemory } from "./read-usage.ts";

test("the memory of a process is what it does not share", () => {
  expect(ownMemory("2000 900 400 1 0 100 0\n")).toBe(500 * 4096);
  expect(ownMemory(undefined)).toBe(0);
});

test("processor time includes children that were waited for, whatever the name of the program", () => {
  const stat = "7 (a ) b) S 1 7 7 0 -1 4194560 10 20 0 0 3 4 5 6 20 0 1 0 100 0 0";

  expect(cpuOf(stat)).toBe((3 + 4 + 5 + 6) * 10);
  expect(cpuOf(undefined)).toBe(0);
});
