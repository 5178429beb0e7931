import { expect, test } from "vitest";
import type { TurnTarget } from "../service/turn/turn-request.ts";
import { atPlace } from "./at-place.ts";

const settings = { env: { CI: "1", LANG: "C" }, directory: "~/src" };

test.each([
  [undefined, "~/src"],
  ["app", "~/src/app"],
  ["../other", "~/other"],
  ["/srv", "/srv"],
  ["~", "~"],
  ["~/work", "~/work"],
])("a program in the directory %j starts in %j", (cwd, at) => {
  const on = atPlace({ kind: "start", start: { command: "make", cwd } }, settings);

  expect(on).toMatchObject({ start: { cwd: at, env: settings.env } });
});

test("the variables of a request win over those of the place", () => {
  const on = atPlace({ kind: "start", start: { command: "make", env: { LANG: "de", X: "y" } } }, settings);

  expect(on).toMatchObject({ start: { env: { CI: "1", LANG: "de", X: "y" } } });
});

test("a shell starts in the directory of the place, and a command changes to one relative to it", () => {
  const on = atPlace({ kind: "run", run: { command: "make", shell: "default", cwd: "app" } }, settings);

  expect(on).toEqual({
    kind: "run",
    run: {
      command: "make",
      shell: "default",
      cwd: "~/src/app",
      fresh: { env: settings.env, defaultCwd: "~/src" },
    },
  });
});

test.each<TurnTarget>([
  { kind: "start", start: { command: "make", cwd: "app" } },
  { kind: "session", key: 7 },
  { kind: "several", keys: "running" },
])("without settings, $kind stays as it is", (on) => {
  expect(atPlace(on, {})).toEqual(on);
});
