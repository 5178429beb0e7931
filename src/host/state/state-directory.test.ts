import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { findStateDirectory, openStateDirectory, parentProblem } from "./state-directory.ts";

test.each([
  [{ uid: 1000, mode: 0o40755 }, undefined],
  [{ uid: 0, mode: 0o40755 }, undefined],
  [{ uid: 0, mode: 0o41777 }, undefined],
  [{ uid: 65_534, mode: 0o40755 }, undefined],
  [{ uid: 1000, mode: 0o40775 }, undefined],
  [{ uid: 1000, mode: 0o40777 }, "every user can write to"],
  [{ uid: 1001, mode: 0o40755 }, "belongs to user 1001"],
])("a parent with %j has the problem %j for user 1000", (stats, problem) => {
  expect(parentProblem(stats, 1000)).toBe(problem);
});

test("a state directory below a directory that everyone can write to is refused", () => {
  const folder = mkdtempSync(join(tmpdir(), "limpet-parents-"));
  const open = join(folder, "open");
  mkdirSync(open);
  chmodSync(open, 0o777);

  try {
    expect(() => openStateDirectory(join(open, "below", "state"))).toThrow(`is inside ${open}, which every user can`);
    openStateDirectory(join(folder, "state")).release();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("looking for a directory that does not exist creates nothing", () => {
  const path = join(mkdtempSync(join(tmpdir(), "limpet-state-")), "none", "state");

  expect(findStateDirectory(path)).toBeUndefined();
  expect(existsSync(dirname(path))).toBe(false);
  rmSync(dirname(dirname(path)), { recursive: true });
});
