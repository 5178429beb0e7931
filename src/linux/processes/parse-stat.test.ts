import { expect, test } from "vitest";
import { parseStat } from "./processes.ts";

const stat = (state: string, threads: number, name = "cat") =>
  `42 (${name}) ${state} 1 42 42 34816 42 4194304 1 0 0 0 0 0 0 0 20 0 ${threads} 0 98765 0 0`;

test("a name may hold spaces and parentheses", () => {
  expect(parseStat(stat("S", 1, "a) R (b"))).toEqual({
    pid: 42,
    name: "a) R (b",
    state: "S",
    threads: 1,
    childFaults: 0,
    parent: 1,
    group: 42,
    session: 42,
    terminal: 34816,
    foregroundGroup: 42,
    startTime: "98765",
  });
});

test("a zombie is dead only if none of its threads is alive", () => {
  expect(parseStat(stat("Z", 0))?.state).toBe("Z");
  expect(parseStat(stat("Z", 1))?.state).toBe("Z");
  expect(parseStat(stat("Z", 2))?.state).toBe("S");
});
