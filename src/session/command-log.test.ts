import { expect, test } from "vitest";
import { CommandLog } from "./command-log.ts";

const STARTED = { command: "npm test", caller: "agent", cwd: "/project", from: 10 };

test("a command has its exit code and the range of its output once it has finished", () => {
  const log = new CommandLog();
  log.start(STARTED);

  expect(log.current).toMatchObject({ ...STARTED, number: 1, to: null, exitCode: null, durationMs: null });

  log.finish({ exitCode: 1, cwd: "/project", end: 25 });
  expect(log.current).toBeUndefined();
  expect(log.entries).toMatchObject([{ ...STARTED, number: 1, to: 25, exitCode: 1, durationMs: expect.any(Number) }]);
});

test("a finish without a start changes nothing", () => {
  const log = new CommandLog();
  log.finish({ exitCode: 0, cwd: "/", end: 5 });
  log.start(STARTED);
  log.finish({ exitCode: 0, cwd: "/", end: 20 });
  log.finish({ exitCode: 7, cwd: "/", end: 30 });

  expect(log.entries).toMatchObject([{ to: 20, exitCode: 0 }]);
});

test("the oldest commands are forgotten, and numbers go on", () => {
  const log = new CommandLog();
  for (let count = 0; count < 1_005; count++) {
    log.start({ ...STARTED, command: "x".repeat(10_000) });
    log.finish({ exitCode: 0, cwd: "/", end: 1 });
  }

  expect(log.entries.length).toBe(1_000);
  expect(log.entries[0]?.number).toBe(6);
  expect(log.entries[0]?.command.length).toBe(4_000);
});
