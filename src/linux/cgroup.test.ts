import { existsSync, mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Cgroup } from "./cgroup.ts";

/** More than any chain of promises without a system call needs. */
const MANY = 1_000;

test("a group is removed off the event loop, together with the groups in it", async () => {
  const path = mkdtempSync(join(tmpdir(), "limpet-group-"));
  mkdirSync(join(path, "inner"));

  const removal = new Cgroup(path).remove().then(() => "removed");
  const first = await Promise.race([removal, passMicrotasks().then(() => "waiting")]);
  await removal;

  expect([first, existsSync(path)]).toEqual(["waiting", false]);
});

async function passMicrotasks(): Promise<void> {
  for (let passed = 0; passed < MANY; passed += 1) await undefined;
}
