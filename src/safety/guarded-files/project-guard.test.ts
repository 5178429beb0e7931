import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ProjectGuard } from "./project-guard.ts";
import { ReplacedFiles } from "./replaced-files.ts";

const CONFIG = '[core]\n\tbare = false\n[remote "origin"]\n\turl = https://host.example/x.git\n';
let outside: string;
let project: string;
beforeEach(() => {
  outside = realpathSync(mkdtempSync(join(tmpdir(), "limpet-guard-")));
  project = join(outside, "project");
  put(".git/HEAD", "ref: refs/heads/main\n");
  put(".git/config", CONFIG);
  put(".git/hooks/pre-commit", "#!/bin/sh\nexit 0\n");
  put(".git/hooks/pre-push.sample", "sample");
  put(".envrc", "export A=1\n");
});
afterEach(() => rmSync(outside, { recursive: true }));

function put(path: string, content: string): void {
  const file = join(project, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

const read = (path: string) => readFileSync(join(project, path), "utf8");
const guardOf = (...allowed: readonly string[]) => new ProjectGuard(project, allowed);
const check = async (guard: ProjectGuard) =>
  (await guard.check(async () => [])).map(({ path, outcome }) => `${outcome} ${path}`);

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

describe("what is put back is kept", () => {
  const guardKeeping = () => new ProjectGuard(project, [], new ReplacedFiles(join(outside, "kept")));

  test("in a folder that the report names, for its owner alone", async () => {
    const guard = guardKeeping();
    put(".envrc", "edited by me");
    put(".git/hooks/post-merge", "new");
    rmSync(join(project, ".git/hooks/pre-commit"));

    const reports = await guard.check(async () => []);

    const [{ keptIn = "" } = {}] = reports;
    expect(reports.map(({ path, keptIn: folder }) => [path, folder])).toEqual([
      [".envrc", keptIn],
      [".git/hooks/post-merge", keptIn],
      [".git/hooks/pre-commit", undefined],
    ]);
    expect(readFileSync(join(keptIn, ".envrc"), "utf8")).toBe("edited by me");
    expect(readFileSync(join(keptIn, ".git/hooks/post-merge"), "utf8")).toBe("new");
    expect(statSync(join(keptIn, ".envrc")).mode & 0o777).toBe(0o600);
    expect(statSync(keptIn).mode & 0o777).toBe(0o700);
  });

  test("and a link is kept as a text, which nothing is written through", async () => {
    const guard = guardKeeping();
    rmSync(join(project, ".git/hooks"), { recursive: true });
    symlinkSync(outside, join(project, ".git/hooks"));

    const [{ keptIn = "" } = {}] = await guard.check(async () => []);

    expect(readFileSync(join(keptIn, ".git/hooks"), "utf8")).toBe(`A link to ${outside}\n`);
  });

  test("for the last 20 checks", async () => {
    const guard = guardKeeping();
    for (let time = 0; time < 25; time += 1) {
      put(".envrc", `edit ${time}`);
      await guard.check(async () => []);
    }

    const kept = readdirSync(join(outside, "kept"));
    const texts = kept.map((folder) => readFileSync(join(outside, "kept", folder, ".envrc"), "utf8"));
    expect(texts.sort()).toEqual(Array.from({ length: 20 }, (_, time) => `edit ${time + 5}`).sort());
  });

  test("unless that fails, which keeps nothing from being put back", async () => {
    writeFileSync(join(outside, "kept"), "a file");
    const guard = guardKeeping();
    put(".envrc", "edited by me");

    expect(await guard.check(async () => [])).toEqual([{ path: ".envrc", usedBy: "direnv", outcome: "restored" }]);
    expect(read(".envrc")).toBe("export A=1\n");
  });
});

describe("stays", () => {
  test.each([
    [
      "what git writes about branches",
      () => put(".git/config", `${CONFIG}[branch "x/y"]\n\tremote = origin\n\tmerge = refs/heads/x\n`),
    ],
    [
      "where git has put a submodule",
      () => {
        put(".git/modules/lib/a/HEAD", "ref");
        put(".git/modules/lib/a/config", "[core]\n\tworktree = ../../../../lib/a\n");
      },
    ],
    ["samples of hooks", () => put(".git/hooks/update.sample", "x")],
    ["a new repository", () => put("sub/.git/config", CONFIG)],
    ["everything else", () => put("Makefile", "all:\n")],
    ["a package without other scripts", () => put("package.json", '{ "name": "x" }')],
  ])("%s", async (_, change) => {
    const guard = guardOf();

    change();

    expect(await check(guard)).toEqual([]);
  });

  test("what the person allows", async () => {
    const guard = guardOf(".envrc", "./.vscode/");

    put(".envrc", "new");
    put(".vscode/tasks.json", "{}");
    put(".claude/settings.json", "{}");

    expect(await check(guard)).toEqual(["restored .claude/settings.json"]);
    expect([read(".envrc"), read(".vscode/tasks.json")]).toEqual(["new", "{}"]);
  });

  test("what was changed from outside while nothing ran in the sandbox", async () => {
    const guard = guardOf();
    await check(guard);

    put(".envrc", "mine");
    guard.accept();

    expect(await check(guard)).toEqual([]);
    expect(read(".envrc")).toBe("mine");
  });
});

test("instructions for agents and scripts of a package are reported once, and stay", async () => {
  const guard = guardOf();

  put("CLAUDE.md", "do this");
  put("package.json", '{ "scripts": { "test": "x" } }');

  expect(await check(guard)).toEqual(["reported CLAUDE.md", "reported package.json"]);
  expect(await check(guard)).toEqual([]);
  expect(read("CLAUDE.md")).toBe("do this");
});

test("a file that is too large to keep is reported", async () => {
  put(".envrc", "x".repeat(2_000_000));
  const guard = guardOf();

  put(".envrc", "evil");

  expect(await check(guard)).toEqual(["not restored .envrc"]);
});

test("a change while a process of the sandbox ran is not accepted", async () => {
  const guard = guardOf();
  // This process runs.
  await guard.check(async () => [process.pid]);

  put(".envrc", "evil");
  guard.accept();

  expect(await check(guard)).toEqual(["restored .envrc"]);
});

test("very many files in one folder keep no other from being guarded", async () => {
  const guard = guardOf();

  for (let file = 0; file < 1_100; file += 1) put(`.claude/${file}`, "x");
  put(".mcp.json", "evil");

  const reports = await check(guard);
  expect(reports).toContain("restored .mcp.json");
  expect(reports.some((report) => report.includes(".claude"))).toBe(true);
});

/** What has the path: its content and mode, or where it leads; undefined if there is nothing. */
function stateOf(path: string): unknown {
  const file = join(project, path);
  const facts = lstatSync(file, { throwIfNoEntry: false });
  if (!facts) return undefined;
  return facts.isSymbolicLink() ? readlinkSync(file) : [statSync(file).mode, read(path)];
}
