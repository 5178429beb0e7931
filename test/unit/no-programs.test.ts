import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { openSession } from "../../src/session/open/open-session.ts";
import { takeAttempts } from "../support/no-programs.ts";

test.each([true, false])("a unit test cannot open a session, tty %s", async (tty) => {
  await expect(openSession({ program: "true", tty })).rejects.toThrow();

  expect(takeAttempts()).toEqual([tty ? "openPty" : "spawnProgram"]);
});

test("a unit test cannot start a child process", () => {
  expect(() => spawn("true")).toThrow("A unit test called spawn");

  expect(takeAttempts()).toEqual(["spawn"]);
});
