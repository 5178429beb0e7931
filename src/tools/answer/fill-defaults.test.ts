import { expect, test } from "vitest";
import { fillDefaults } from "./fill-defaults.ts";

const usual = { sandbox: { files: "read-only", network: "off" }, limits: { processes: 5 } } as const;
const none = { sandbox: undefined, limits: undefined };

test.each([
  ["nothing", {}, { sandbox: usual.sandbox, limits: { processes: 5 } }],
  [
    "other files",
    { sandbox: { files: "workspace" } as const },
    { sandbox: { files: "workspace", network: "off" }, limits: { processes: 5 } },
  ],
  ["no sandbox", { sandbox: "off" } as const, { sandbox: "off", limits: { processes: 5 } }],
  ["limits", { limits: { memory: "1G" } }, { sandbox: usual.sandbox, limits: { processes: 5, memory: "1G" } }],
])("a start that asks for %s keeps the default for the rest", (_, start, expected) => {
  expect(fillDefaults({ on: { kind: "start", start } }, usual)).toEqual({ on: { kind: "start", start: expected } });
});

test("a new shell starts with the defaults, or with the sandbox that it must have", () => {
  const run = { command: "ls", shell: "default" };

  expect(fillDefaults({ on: { kind: "run", run } }, usual)).toEqual({
    on: { kind: "run", run: { ...run, fresh: { sandbox: usual.sandbox, limits: { processes: 5 } } } },
  });
  expect(fillDefaults({ on: { kind: "run", run: { ...run, sandbox: { files: "workspace" } } } }, usual)).toMatchObject({
    on: { run: { fresh: { sandbox: { files: "workspace", network: "off" } } } },
  });
});

test("without defaults, and for what starts nothing, a request stays as it is", () => {
  const run = { on: { kind: "run", run: { command: "ls", shell: 1 } } } as const;
  const typed = { on: { kind: "session", key: 1 } } as const;

  expect(fillDefaults(run, none)).toBe(run);
  expect(fillDefaults(typed, usual)).toBe(typed);
});
