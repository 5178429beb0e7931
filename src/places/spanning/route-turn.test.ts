import { expect, test } from "vitest";
import type { TurnTarget } from "../../service/turn/turn-request.ts";
import { routeKeys, routeTurn } from "./route-turn.ts";

const run = (shell: string): TurnTarget => ({ kind: "run", run: { command: "ls", shell } });
const start: TurnTarget = { kind: "start", start: { command: "ls" } };

test.each<[TurnTarget, string | undefined, string | null, TurnTarget]>([
  [start, undefined, null, start],
  [start, "build", "build", start],
  [run("default"), undefined, null, run("default")],
  [run("default"), "build", "build", run("default")],
  [run("build/dev"), undefined, "build", run("dev")],
  [run("build/dev"), "build", "build", run("dev")],
  [{ kind: "session", key: 7 }, undefined, null, { kind: "session", key: 7 }],
  [{ kind: "session", key: "build/7" }, undefined, "build", { kind: "session", key: "7" }],
])("%j at %j goes to %j as %j", (on, named, place, own) => {
  const given = named === undefined ? {} : { place: named };

  expect(routeTurn({ caller: "a", on, ...given })).toEqual({ place, request: { caller: "a", on: own } });
});

test("a place and the key of another one are refused", () => {
  expect(() => routeTurn({ caller: "a", place: "build", on: run("ci/dev") })).toThrow(
    'place is "build", but the session is at "ci". Leave one of them out.',
  );
});

test("keys are grouped by their place, in the order in which the places come first", () => {
  expect([...routeKeys(["build/7", 3, "ci/dev", "build/dev", "here"])]).toEqual([
    ["build", ["7", "dev"]],
    [null, [3, "here"]],
    ["ci", ["dev"]],
  ]);
});
