import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findProject } from "./find-project.ts";

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "limpet-project-")));
});

afterEach(() => rmSync(root, { recursive: true }));

function folder(...parts: string[]): string {
  const path = join(root, ...parts);
  mkdirSync(path, { recursive: true });
  return path;
}

test.each([".git", ".hg", ".jj", ".svn"])("a directory belongs to the nearest folder with %s", (mark) => {
  folder("outer", mark);
  folder("outer", "inner", mark);

  expect(findProject(folder("outer", "src", "deep"))).toBe(join(root, "outer"));
  expect(findProject(folder("outer", "inner", "src"))).toBe(join(root, "outer", "inner"));
});

test("a worktree, whose .git is a file, is a project of its own", () => {
  folder("main", ".git");
  writeFileSync(join(folder("main", "worktree"), ".git"), "gitdir: elsewhere");

  expect(findProject(folder("main", "worktree", "src"))).toBe(join(root, "main", "worktree"));
});

test("without a repository, the directory itself is the project, by its real name", () => {
  const plain = folder("plain");
  symlinkSync(plain, join(root, "link"));

  expect([findProject(plain), findProject(join(root, "link"))]).toEqual([plain, plain]);
});

test("a directory that is gone keeps its name", () => {
  expect(findProject(join(root, "gone"))).toBe(join(root, "gone"));
});
