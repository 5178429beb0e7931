import { expect, test } from "vitest";
import { Flow } from "./flow.ts";

function watched(maxUnreadBytes: number) {
  const calls: string[] = [];
  const flow = new Flow({ pause: () => calls.push("pause"), resume: () => calls.push("resume") }, maxUnreadBytes);
  return { flow, calls };
}

test("the program is paused once when a reader falls behind, and resumed once when it has caught up", () => {
  const { flow, calls } = watched(10);
  const reader = { cursor: 0 };
  flow.join(reader);

  flow.update(10);
  expect(calls).toEqual([]);
  flow.update(11);
  flow.update(12);
  expect(calls).toEqual(["pause"]);
  reader.cursor = 2;
  flow.update(12);
  flow.update(12);
  expect(calls).toEqual(["pause", "resume"]);
});

test("the slowest of several readers counts, and a reader that has left does not", () => {
  const { flow, calls } = watched(10);
  const slow = { cursor: 0 };
  flow.join(slow);
  flow.join({ cursor: 50 });

  flow.update(50);
  expect(calls).toEqual(["pause"]);
  flow.leave(slow);
  flow.update(50);
  expect(calls).toEqual(["pause", "resume"]);
});

test("without readers, unread output is kept for the next one", () => {
  const { flow, calls } = watched(10);
  const reader = { cursor: 5 };
  flow.join(reader);
  flow.update(5);
  flow.leave(reader);

  flow.update(15);
  expect(calls).toEqual([]);
  flow.update(16);
  expect(calls).toEqual(["pause"]);
});

test("a page read without joining counts, unless it leaves a gap", () => {
  const { flow, calls } = watched(10);
  flow.update(30);
  expect(calls).toEqual(["pause"]);

  flow.seen(25, 30);
  flow.update(30);
  expect(calls).toEqual(["pause"]);
  flow.seen(0, 20);
  flow.update(30);
  expect(calls).toEqual(["pause", "resume"]);
});

test("a reader ahead of the end does not make later readers miss anything", () => {
  const { flow, calls } = watched(10);
  const early = { cursor: 1_000_000 };
  flow.join(early);
  flow.update(5);
  flow.leave(early);

  flow.update(16);
  expect(calls).toEqual(["pause"]);
});
