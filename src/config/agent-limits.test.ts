import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Allowance } from "../base/allowance.ts";
import type { SessionLimits } from "../base/session-limits.ts";
import { agentLimits } from "./agent-limits.ts";
import { userConfig } from "./user-config.ts";

let home: string;
let project: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "limpet-limits-")));
  project = join(home, "src", "app");
  mkdirSync(join(home, ".config", "limpet"), { recursive: true });
  mkdirSync(project, { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true }));

/** What programs of an agent in the project may use, by the person's settings, the project's and a flag. */
function allowed(person: unknown, theirs?: unknown, asked?: SessionLimits): Allowance<SessionLimits> {
  writeFileSync(join(home, ".config", "limpet", "config.json"), JSON.stringify(person));
  if (theirs !== undefined) writeFileSync(join(project, ".limpet.json"), JSON.stringify(theirs));
  return agentLimits(userConfig({ HOME: home }), { project, asked })();
}

/** The default and the ceiling, which must be the same. */
function limits(...given: Parameters<typeof allowed>): SessionLimits | undefined {
  const both = allowed(...given);
  expect(both.default).toEqual(both.ceiling);
  return both.ceiling;
}

test("the limits of the nearest folder replace the general ones", () => {
  const general = { processes: 10, wallTime: "1h" };

  expect(limits({ limits: general })).toEqual({ processes: 10, wallTime: 3_600_000 });
  expect(limits({ limits: general, projects: { "~/src": { limits: { processes: 20 } } } })).toEqual({ processes: 20 });
  expect(limits({ limits: general, projects: { "~/src": { sandbox: "read-only" } } })).toEqual({
    processes: 10,
    wallTime: 3_600_000,
  });
  expect(limits({})).toBeUndefined();
});

test("the project's own file can lower limits and add some, never raise one", () => {
  expect(limits({ limits: { processes: 10, openFiles: 64 } }, { limits: { processes: 99, memory: "1G" } })).toEqual({
    processes: 10,
    openFiles: 64,
    memory: 1024 ** 3,
  });
});

test("a flag can only lower", () => {
  expect(limits({ limits: { processes: 10 } }, undefined, { processes: 5 })).toEqual({ processes: 5 });
  expect(() => limits({ limits: { processes: 10 } }, undefined, { processes: 11 })).toThrow(
    /more than a person allows/,
  );
});

test("a default below the ceiling applies to what is not asked for", () => {
  const both = { default: { processes: 5 }, ceiling: { processes: 50, openFiles: 64 } };

  expect(allowed({ limits: both })).toEqual({ default: { processes: 5, openFiles: 64 }, ceiling: both.ceiling });
  expect(allowed({ limits: both }, { limits: { processes: 20 } })).toEqual({
    default: { processes: 5, openFiles: 64 },
    ceiling: { processes: 20, openFiles: 64 },
  });
  expect(allowed({ limits: both }, {}, { processes: 30 })).toEqual({
    default: { processes: 30, openFiles: 64 },
    ceiling: { processes: 30, openFiles: 64 },
  });
});

test.each([
  [{ limits: { default: { processes: 5 } } }, /only one of default and ceiling/],
  [
    { limits: { default: { processes: 5 }, ceiling: { processes: 4 } } },
    /Line 1 has a bad value in limits: processes 5 is more/,
  ],
  [{ limits: { memory: "much" } }, /Line 1 has a bad value in limits: "much" is not a limit for memory/],
  [{ limits: 5 }, /has a bad value for limits/],
  [{ projects: { "~/src": { limits: { colour: 1 } } } }, /Unknown limit "colour"/],
])("%j is refused", (person, message) => {
  expect(() => limits(person)).toThrow(message);
});
