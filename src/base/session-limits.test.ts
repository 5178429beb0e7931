import { expect, test } from "vitest";
import { describeLimits, narrowLimits, parseLimit, parseLimits } from "./session-limits.ts";

test.each([
  ["memory", "2G", 2 * 1024 ** 3],
  ["memory", "512m", 512 * 1024 ** 2],
  ["memory", "64MiB", 64 * 1024 ** 2],
  ["fileSize", "1.5G", 1.5 * 1024 ** 3],
  ["fileSize", 4096, 4096],
  ["processes", "200", 200],
  ["openFiles", 256, 256],
  ["cpuTime", "10m", 600_000],
  ["wallTime", "2h", 7_200_000],
  ["wallTime", "500ms", 500],
  ["wallTime", "90", 90_000],
])("a limit for %s of %s is %d", (name, given, value) => {
  expect(parseLimit(name, given)).toBe(value);
});

test.each([
  ["memory", "lots"],
  ["memory", "-1G"],
  ["memory", "1K"],
  ["memory", ""],
  ["memory", null],
  ["processes", "0"],
  ["processes", "1.5"],
  ["cpuTime", "2G"],
  ["cpuTime", "10ms"],
  ["wallTime", "1e9"],
  ["colour", "blue"],
  ["constructor", "1"],
])("a limit for %s of %s is refused with an example", (name, given) => {
  expect(() => parseLimit(name, given)).toThrow(/Use /);
});

test("limits are described in the units in which people write them", () => {
  const limits = parseLimits({ memory: "2G", processes: 200, cpuTime: "10m", wallTime: "90s", fileSize: "1536M" });

  expect(describeLimits(limits)).toBe("memory 2G, processes 200, CPU time 10m, wall time 90s, file size 1536M");
});

test("without a request the ceiling applies, with a request the lower value", () => {
  const ceiling = { memory: 1024 ** 3, processes: 100 };

  expect(narrowLimits(ceiling, undefined)).toEqual(ceiling);
  expect(narrowLimits(ceiling, { processes: 10, wallTime: 5_000 })).toEqual({
    memory: 1024 ** 3,
    processes: 10,
    wallTime: 5_000,
  });
  expect(narrowLimits(undefined, undefined)).toBeUndefined();
});

test("more than the ceiling is refused, whatever else is asked for", () => {
  expect(() => narrowLimits({ processes: 100 }, { processes: 101, memory: 1024 ** 3 })).toThrow(
    /processes 101 is more than a person allows \(processes 100\)/,
  );
});
