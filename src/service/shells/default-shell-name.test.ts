import { expect, test } from "vitest";
import type { Owned } from "../../session/registry/resolve-session.ts";
import { defaultShellName } from "./default-shell-name.ts";

const ann = { caller: "ann", project: "/api" };
const ben = { caller: "ben", project: "/api" };
const nobody: ReadonlySet<string> = new Set();

function shell(name: string, owner: Owned["owner"], exit?: "ended"): Owned {
  return { id: 1, name, owner, exit };
}

test("the first caller of a project has default, the next ones have numbers", () => {
  const names = (taken: string[]) => defaultShellName({ owner: ann, sessions: [], taken: new Set(taken) });

  expect([names([]), names(["default"]), names(["default", "default-2"])]).toEqual([
    "default",
    "default-2",
    "default-3",
  ]);
});

test("the default shell of another project takes no name", () => {
  const sessions = [shell("default", { caller: "ben", project: "/web" })];

  expect(defaultShellName({ owner: ann, sessions, taken: nobody })).toBe("default");
});

test("a caller that comes back has the name that it had, whether that shell runs or has ended", () => {
  const running = [shell("default", ben), shell("default-2", ann)];
  const ended = [shell("default", ben, "ended"), shell("default-2", ann, "ended")];

  expect([running, ended].map((sessions) => defaultShellName({ owner: ann, sessions, taken: nobody }))).toEqual([
    "default-2",
    "default-2",
  ]);
});

test("a name that another caller has by now is not given back", () => {
  const sessions = [shell("default", ann, "ended"), shell("default", ben)];

  expect(defaultShellName({ owner: ann, sessions, taken: nobody })).toBe("default-2");
});
