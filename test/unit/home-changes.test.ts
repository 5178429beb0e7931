import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
// @ts-expect-error A script without types.
import { changedPaths, readHomes } from "../../scripts/tests/home-changes.mjs";

test("a history that grew, settings that are new and a file that is gone are named; caches are not", () => {
  const home = mkdtempSync(join(tmpdir(), "limpet-home-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  for (const folder of [".config", ".cache", "work"]) mkdirSync(join(home, folder));
  for (const file of [".bash_history", ".viminfo", ".bashrc"]) writeFileSync(join(home, file), "old");
  const before = readHomes([home]);

  appendFileSync(join(home, ".bash_history"), "new");
  rmSync(join(home, ".viminfo"));
  for (const folder of [".config/mc", ".cache/mc", "work/mc"]) mkdirSync(join(home, folder));

  const changed = [".bash_history", ".config/mc", ".viminfo"].map((name) => join(home, name));
  expect(changedPaths(before, readHomes([home]))).toEqual(changed);
});
