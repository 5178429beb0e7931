import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { groupHits, groupLimitsOf, limitGroup } from "./limit-group.ts";

let root = "";
let session = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "limpet-group-"));
  session = join(root, "own", "s1");
  mkdirSync(session, { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

function file(...path: string[]): string {
  return readFileSync(join(root, ...path), "utf8");
}

/** Ordinary files that stand for those of the kernel. */
function fake(path: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, path, name), text);
}

test("a group without controllers limits nothing", () => {
  fake("", { "cgroup.controllers": "hugetlb\n", "cgroup.subtree_control": "\n" });
  fake("own", { "cgroup.controllers": "\n", "cgroup.subtree_control": "\n" });

  expect(groupLimitsOf(join(root, "own"), { memory: 1, processes: 2, cpuTime: 3 })).toEqual([]);
});

test("controllers are handed on from above, and the limits written", () => {
  fake("", { "cgroup.controllers": "memory pids\n", "cgroup.subtree_control": "memory\n" });
  fake("own", { "cgroup.controllers": "memory\n", "cgroup.subtree_control": "memory " });
  fake("own/s1", { "memory.max": "          ", "pids.max": "   " });

  expect(groupLimitsOf(join(root, "own"), { memory: 1024, processes: 200 })).toEqual(["memory"]);
  limitGroup(session, { memory: 1024, processes: 200 });

  expect(file("cgroup.subtree_control")).toMatch(/^\+pids/);
  expect(file("own", "cgroup.subtree_control")).toMatch(/^\+pids/);
  expect(file("own/s1", "memory.max").trim()).toBe("1024");
  expect(file("own/s1", "pids.max").trim()).toBe("200");
});

test("a limit that the kernel refuses is an error", () => {
  expect(() => limitGroup(session, { memory: 1024 })).toThrow(/refused the memory limit/);
});

test("what the group has counted is read", () => {
  fake("own/s1", { "memory.events": "low 0\noom 2\noom_kill 1\n", "pids.events": "max 7\n" });

  expect(groupHits(session)).toEqual({ memory: 1, processes: 7 });
  expect(groupHits(join(root, "none"))).toEqual({ memory: 0, processes: 0 });
});
