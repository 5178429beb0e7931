import { expect, test } from "vitest";
import type { MarkedProcess } from "../../linux/processes/processes.ts";
import { programAmong } from "./find-inside.ts";

const entry = (pid: number, parent: number, mark?: string, startTime = "1"): MarkedProcess => ({
  ...{ pid, parent, group: pid, session: pid, terminal: 0, foregroundGroup: -1, name: "sh", state: "S", threads: 1 },
  ...{ childFaults: 0, startTime, mark },
});

test("the program is the first process with the mark, not one that it started", () => {
  const all = [entry(9, 1, "other"), entry(12, 11, "m", "3"), entry(11, 10, "m", "2"), entry(20, 1, "m", "4")];

  expect([programAmong(all, "m"), programAmong(all, "none")]).toEqual([11, undefined]);
});
