import { expect, test } from "vitest";
import { chooseTargets, type TargetFacts } from "./choose-targets.ts";

interface Named extends TargetFacts {
  readonly name: string;
}

const session = (name: string, more: Partial<TargetFacts> = {}): Named => ({
  name,
  hasEnded: false,
  hasNews: false,
  isIdle: false,
  isParked: false,
  ...more,
});
const works = session("works");
const idle = session("idle", { isIdle: true });
const parked = session("parked", { isParked: true });
const toldEnd = session("told", { hasEnded: true });
const newEnd = session("new", { hasEnded: true, hasNews: true });
const finished = session("finished", { isIdle: true, hasNews: true });

function chosen(all: readonly Named[], { areNamed = false, hasOtherEnds = false } = {}) {
  const targets = chooseTargets(all, { areNamed, hasOtherEnds });
  return targets.kind === "nothing" ? "nothing" : [targets.kind, targets.sessions.map(({ name }) => name).join(" ")];
}

test("a wait for whatever comes skips idle shells and ends that were reported", () => {
  expect(chosen([works, idle, parked, toldEnd, newEnd, finished])).toEqual(["events", "works parked new finished"]);
});

test("there is nothing to wait for if all is idle, reported or parked at a reported prompt", () => {
  expect([[], [idle], [parked], [toldEnd], [idle, parked, toldEnd]].map((all) => chosen(all))).toEqual(
    Array(5).fill("nothing"),
  );
});

test("a match or a port may come from a session that is parked, but not from an idle shell", () => {
  expect(chosen([parked, idle], { hasOtherEnds: true })).toEqual(["events", "parked"]);
  expect(chosen([idle], { hasOtherEnds: true })).toBe("nothing");
});

test("one named session is reported as it is", () => {
  for (const one of [works, idle, parked, toldEnd, newEnd]) {
    expect(chosen([one], { areNamed: true })).toEqual(["state", one.name]);
  }
});

test("of several named ones those with nothing new give the others their turn", () => {
  expect(chosen([toldEnd, parked, works, idle], { areNamed: true })).toEqual(["events", "parked works idle"]);
  expect(chosen([toldEnd, newEnd, parked], { areNamed: true })).toEqual(["events", "new parked"]);
});

test("several named ones are reported as they are if none of them has anything new to come", () => {
  expect(chosen([toldEnd, parked, idle], { areNamed: true })).toEqual(["state", "told parked idle"]);
});
