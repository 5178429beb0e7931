import { expect, test } from "vitest";
import type { MarkedProcess } from "../../linux/processes/processes.ts";
import { leftoversAmong } from "./kill-leftovers.ts";
import type { SessionRecord } from "./session-record.ts";

const entry = (pid: number, more: Partial<MarkedProcess> = {}): MarkedProcess => ({
  pid,
  parent: 1,
  group: pid,
  session: pid,
  terminal: 0,
  foregroundGroup: -1,
  name: "x",
  state: "S",
  threads: 1,
  childFaults: 0,
  startTime: "100",
  mark: undefined,
  ...more,
});
const record = { mark: "ours", trace: { pid: 10, startTime: "100", group: undefined } } as SessionRecord;
const pids = (all: readonly MarkedProcess[]) => leftoversAmong(all, [record]).map(({ pid }) => pid);

test("the program itself, its session and its descendants are left over", () => {
  expect(pids([entry(10), entry(11, { session: 10 }), entry(12, { parent: 11 }), entry(13)])).toEqual([10, 11, 12]);
});

test("whoever bears the mark is left over, wherever it went", () => {
  expect(pids([entry(50, { mark: "ours" }), entry(51, { mark: "others" })])).toEqual([50]);
});

test("a stranger that has the program's pid by now is spared, and all that is in its session", () => {
  expect(pids([entry(10, { startTime: "999" }), entry(11, { session: 10 })])).toEqual([]);
});

test("a session whose leader is gone is believed only by its mark", () => {
  expect(pids([entry(11, { session: 10 }), entry(12, { session: 10, mark: "ours" })])).toEqual([12]);
});
