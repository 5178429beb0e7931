/** Which changes of a program in a sandbox are put back. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CONFIG, check, useGuardedProject } from "../../../test/support/guarded-project.ts";

const { outside, project, put, read, guardOf } = useGuardedProject();

describe("is put back", () => {
  test.each([
    ["a hook that is changed", ".git/hooks/pre-commit", () => put(".git/hooks/pre-commit", "evil")],
    ["a hook that is new", ".git/hooks/post-merge", () => put(".git/hooks/post-merge", "evil")],
    ["a hook that is removed", ".git/hooks/pre-commit", () => rmSync(join(project, ".git/hooks/pre-commit"))],
    ["a hook that can be run", ".git/hooks/pre-commit", () => chmodSync(join(project, ".git/hooks/pre-commit"), 0o755)],
    [
      "a setting of git that runs code",
      ".git/config",
      () => put(".git/config", `${CONFIG}[core]\n\tfsmonitor = evil\n`),
    ],
    [
      "a configuration that only git can read",
      ".git/config",
      () => put(".git/config", `${CONFIG}[alias]\n\tx = "!e" \\\n y\n`),
    ],
    [
      "the file of a worktree",
      ".git/config.worktree",
      () => put(".git/config.worktree", "[core]\n\tsshCommand = evil\n"),
    ],
    ["another common directory", ".git/commondir", () => put(".git/commondir", "../evil\n")],
    [
      "a hook of a submodule",
      ".git/modules/a/b/hooks/pre-commit",
      () => {
        put(".git/modules/a/b/HEAD", "ref");
        put(".git/modules/a/b/hooks/pre-commit", "evil");
      },
    ],
    [".envrc", ".envrc", () => put(".envrc", "evil")],
    ["a task of the editor", ".vscode/tasks.json", () => put(".vscode/tasks.json", "{}")],
    ["the settings of an agent", ".claude/settings.local.json", () => put(".claude/settings.local.json", "{}")],
    ["our own file", ".limpet.json", () => put(".limpet.json", "{}")],
    ["the rules of the project", ".limpet.policy.json", () => put(".limpet.policy.json", "{}")],
    ...[
      "fsmonitor = x",
      "pager = x",
      "hooksPath = /tmp",
      "sshCommand = x",
      "editor = x",
      "worktree = ../..",
      "worktree = sub",
    ].map((setting): [string, string, () => void] => [
      `core.${setting}`,
      ".git/config",
      () => put(".git/config", `${CONFIG}[core]\n\t${setting}\n`),
    ]),
    ...[
      'diff "x"]\n\tcommand = x',
      'filter "x"]\n\tclean = x',
      "include]\n\tpath = x",
      "alias]\n\tx = !y",
      'url "x"]\n\tinsteadOf = y',
    ].map((section): [string, string, () => void] => [
      section.split("]")[0] ?? "",
      ".git/config",
      () => put(".git/config", `${CONFIG}[${section}\n`),
    ]),
    [
      "a submodule whose files would go elsewhere",
      ".git/modules/a/config",
      () => {
        put(".git/modules/a/HEAD", "ref");
        put(".git/modules/a/config", "[core]\n\tworktree = ../../../../home\n");
      },
    ],
    [
      "a link instead of a file",
      ".envrc",
      () => {
        rmSync(join(project, ".envrc"));
        symlinkSync("/etc/passwd", join(project, ".envrc"));
      },
    ],
    [
      "a folder instead of a file",
      ".envrc",
      () => {
        rmSync(join(project, ".envrc"));
        put(".envrc/deep/file", "x");
      },
    ],
  ])("%s", async (_, path, change) => {
    const before = stateOf(path);
    const guard = guardOf();

    change();

    expect(await check(guard)).toEqual([`restored ${path}`]);
    expect(stateOf(path)).toEqual(before);
    expect(await check(guard)).toEqual([]);
    expect(readdirSync(project).filter((name) => name.startsWith(".limpet-"))).toEqual([]);
  });

  test("a folder of hooks that became a link, without touching what the link leads to", async () => {
    const guard = guardOf();
    mkdirSync(join(outside, "theirs"));
    writeFileSync(join(outside, "theirs", "pre-commit"), "theirs");

    rmSync(join(project, ".git/hooks"), { recursive: true });
    symlinkSync(join(outside, "theirs"), join(project, ".git/hooks"));

    expect(await check(guard)).toEqual(["restored .git/hooks"]);
    expect(read(".git/hooks/pre-commit")).toBe("#!/bin/sh\nexit 0\n");
    expect(lstatSync(join(project, ".git/hooks")).isDirectory()).toBe(true);
    expect(readFileSync(join(outside, "theirs", "pre-commit"), "utf8")).toBe("theirs");
  });

  test("a repository that became a link", async () => {
    const guard = guardOf();

    renameSync(join(project, ".git"), join(project, "moved"));
    symlinkSync(outside, join(project, ".git"));

    expect(await check(guard)).toEqual(["restored .git"]);
    expect(lstatSync(join(project, ".git")).isDirectory()).toBe(true);
    expect(read(".git/hooks/pre-commit")).toBe("#!/bin/sh\nexit 0\n");
    expect(existsSync(join(outside, "config"))).toBe(false);
  });

  test("a pointer to another repository in a project without one", async () => {
    rmSync(join(project, ".git"), { recursive: true });
    const guard = guardOf();

    put(".git", "gitdir: /elsewhere\n");

    expect(await check(guard)).toEqual(["restored .git"]);
    expect(existsSync(join(project, ".git"))).toBe(false);
  });

  test("a hook in the folder that git takes them from", async () => {
    put(".git/config", `${CONFIG}[core]\n\thooksPath = .githooks\n`);
    put(".githooks/pre-commit", "mine");
    const guard = guardOf();

    put(".githooks/pre-commit", "evil");

    expect(await check(guard)).toEqual(["restored .githooks/pre-commit"]);
    expect(read(".githooks/pre-commit")).toBe("mine");
  });

  test("more than once, if it is changed again", async () => {
    const guard = guardOf();
    for (let time = 0; time < 3; time += 1) {
      put(".envrc", `evil ${time}`);

      expect(await check(guard)).toEqual(["restored .envrc"]);
    }
    expect(read(".envrc")).toBe("export A=1\n");
  });
});

/** What has the path: its content and mode, or where it leads; undefined if there is nothing. */
function stateOf(path: string): unknown {
  const file = join(project, path);
  const facts = lstatSync(file, { throwIfNoEntry: false });
  if (!facts) return undefined;
  return facts.isSymbolicLink() ? readlinkSync(file) : [statSync(file).mode, read(path)];
}
