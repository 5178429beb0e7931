import fc from "fast-check";
import { expect, test } from "vitest";
import { listProcesses, listProcessesNow, parsePids, parseStat, readProcess } from "./processes.ts";

const stat = (name: string) =>
  `42 (${name}) S 7 40 39 34816 40 4194560 100 0 0 0 1 2 0 0 20 0 1 0 987654 1000 200 18446744073709551615 0 0`;

test.each(["cat", "a) (b", "", ")", "(", ") S 1 1 1", "two words", "line\nbreak", "\xff\xfe"])(
  "a process named %j is read right",
  (name) => {
    expect(parseStat(stat(name))).toEqual({
      pid: 42,
      name,
      state: "S",
      parent: 7,
      group: 40,
      session: 39,
      terminal: 34816,
      foregroundGroup: 40,
      threads: 1,
      childFaults: 0,
      startTime: "987654",
    });
  },
);

test("anything but a line of /proc/PID/stat is refused", () => {
  for (const text of ["", "42", "42 (cat", "42 (cat) S 1 2 3", "cat) (42 S 1 2 3"]) {
    expect(parseStat(text)).toBeUndefined();
  }
});

test("random text never throws", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      parseStat(text);
    }),
  );
});

test("this process is found as /proc shows it", async () => {
  const own = readProcess(process.pid);

  expect(own).toMatchObject({ pid: process.pid, parent: process.ppid });
  expect((await listProcesses()).some(({ pid }) => pid === process.pid)).toBe(true);
  expect(listProcessesNow().some(({ pid }) => pid === process.pid)).toBe(true);
});

test("an ended process is undefined", () => {
  expect(readProcess(2 ** 30)).toBeUndefined();
});

test("concurrent callers share a scan, and a later one gets a later scan", async () => {
  const first = listProcesses();
  const second = listProcesses();
  const third = listProcesses();

  expect(third).toBe(second);
  expect(second).not.toBe(first);
  await Promise.all([first, second]);
  expect(listProcesses()).not.toBe(second);
});

test("pids are read from any spacing", () => {
  expect(parsePids(" 1 22\n333\n")).toEqual([1, 22, 333]);
  expect(parsePids("")).toEqual([]);
});
