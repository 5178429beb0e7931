/**
 * Set up for every file of the project `unit`: a test that starts a program or opens a terminal fails, also where the
 * code under test swallows the error. Such a test belongs in `x.programs.test.ts` or in a folder of `test/`.
 */
import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import { afterEach, expect, vi } from "vitest";

const ATTEMPTS = Symbol.for("limpet.test.attempts");
/**
 * Files of this project share a worker, so the replacements that an earlier file received record their attempts here,
 * too.
 */
const shared = globalThis as { [ATTEMPTS]?: string[] };
shared[ATTEMPTS] ??= [];
const attempts: string[] = shared[ATTEMPTS];

/** What was attempted since the last call. */
export function takeAttempts(): string[] {
  return attempts.splice(0);
}

function refusing(name: string): () => never {
  return () => {
    attempts.push(name);
    throw new Error(`A unit test called ${name}. Rename its file to *.programs.test.ts, or move the test into one.`);
  };
}

const starters = ["exec", "execFile", "execFileSync", "execSync", "fork", "spawn", "spawnSync"] as const;
for (const name of starters) Object.assign(childProcess, { [name]: refusing(name) });
syncBuiltinESMExports();

vi.mock(import("../../src/pty/open-pty.ts"), async (original) => ({
  ...(await original()),
  openPty: refusing("openPty"),
}));
vi.mock(import("../../src/pty/spawn-program.ts"), async (original) => ({
  ...(await original()),
  spawnProgram: refusing("spawnProgram"),
}));

afterEach(() => {
  expect(takeAttempts(), "calls that start a program or open a terminal").toEqual([]);
});
