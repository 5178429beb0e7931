import { describe, expect, test } from "vitest";
import { CONFIG, check, useGuardedProject } from "../../../test/support/guarded-project.ts";

const { put, read, guardOf } = useGuardedProject();

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
