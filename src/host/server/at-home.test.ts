import { expect, test } from "vitest";
import type { TurnTarget } from "../../service/turn/turn-request.ts";
import { atHome } from "./at-home.ts";

const on = (target: TurnTarget) => atHome({ caller: "test", on: target }, "/home/me").on;

test.each([
  [undefined, "/home/me"],
  ["project", "/home/me/project"],
  ["~/project", "/home/me/project"],
  ["/srv", "/srv"],
])("a program with the directory %j starts in %s", (cwd, expected) => {
  const start = { command: "true", ...(cwd === undefined ? {} : { cwd }) };

  expect(on({ kind: "start", start })).toEqual({ kind: "start", start: { command: "true", cwd: expected } });
});

test("a shell starts at home, and a command's own directory is relative to it", () => {
  const run = { command: "true", shell: "main", cwd: "x" };

  expect(on({ kind: "run", run })).toEqual({
    kind: "run",
    run: { ...run, cwd: "/home/me/x", fresh: { defaultCwd: "/home/me" } },
  });
});
