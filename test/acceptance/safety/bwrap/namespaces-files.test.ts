/** What namespaces add to a sandbox for files: what is hidden, and what runs code later, against the real kernel. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { makeLockedProject } from "../../../support/locked-project.ts";
import { skipWithout } from "../../../support/needs.ts";
import { openerIn, runnerIn } from "../../../support/sandboxed-run.ts";

const { setUp } = skipWithout("landlock", "bwrap", "git");

const outside = mkdtempSync(join(tmpdir(), "limpet-test-"));
afterAll(() => rmSync(outside, { recursive: true }));
const project = join(outside, "project");
const home = join(outside, "home");
vi.stubEnv("HOME", home);
const open = openerIn(project, "bwrap");
const runIn = runnerIn(project, "bwrap");

setUp(() => makeLockedProject(outside));

describe("what is hidden", () => {
  test("shows as empty instead of being refused", async () => {
    const { code, text } = await runIn({}, "ls -A ~/.ssh ~/.config/gh && cat ~/.npmrc && stat -c %s ~/.npmrc");

    expect({ code, text }).toEqual({ code: 0, text: `${home}/.config/gh:\n\n${home}/.ssh:\n0` });
  });

  test("cannot be uncovered, replaced or written to", async () => {
    const { text } = await runIn(
      {},
      "umount ~/.ssh; rmdir ~/.ssh; mv ~/.ssh ~/x; echo x > ~/.npmrc; echo x > ~/.ssh/y; unshare -Urm sh -c 'umount ~/.ssh; cat ~/.ssh/id_test'",
    );

    expect(text).not.toContain("the key");
    expect(readFileSync(join(home, ".ssh", "id_test"), "utf8")).toBe("the key");
    expect(readFileSync(join(home, ".npmrc"), "utf8")).toContain("secret");
  });
});

describe("files that run code later", () => {
  test.each([
    ["a hook is written", "echo x > .git/hooks/pre-commit"],
    ["a setting of git is changed", "git config core.fsmonitor ./x"],
    ["git's configuration is replaced", "cp .git/config c && mv -f c .git/config"],
    ["the hooks are moved away", "mv .git/hooks .git/old"],
    ["the repository is moved away", "mv .git old && mkdir -p .git/hooks && echo x > .git/hooks/pre-commit"],
    ["a task is changed", "echo x >> .vscode/tasks.json"],
    ["a task is removed", "rm -r .vscode"],
    ["a file of direnv is replaced", "rm .envrc && echo x > .envrc"],
    ["its mode is changed", "chmod 777 .envrc"],
  ])("cannot be changed: %s", async (_, command) => {
    const before = ["config", "hooks", "HEAD"].map((name) => statSync(join(project, ".git", name)).ino);

    const { code, text } = await runIn({}, command);

    expect(code).not.toBe(0);
    expect(text).toMatch(/Read-only file system|Device or resource busy/);
    expect(["config", "hooks", "HEAD"].map((name) => statSync(join(project, ".git", name)).ino)).toEqual(before);
    expect(existsSync(join(project, ".git", "hooks", "pre-commit"))).toBe(false);
    expect(readFileSync(join(project, ".vscode", "tasks.json"), "utf8")).toBe("{}");
    expect(readFileSync(join(project, ".envrc"), "utf8")).toBe("export A=1\n");
  });

  test("leave the rest of the project and of the repository as it is", async () => {
    const author = "-c user.name=A -c user.email=a@b.example";
    const { code, text } = await runIn(
      {},
      `echo x > file && git add file && git ${author} commit --quiet -m one && git log --format=%s && git rm --quiet file`,
    );

    expect({ code, text }).toEqual({ code: 0, text: "one" });
  });

  test("can be changed where a person allows it", async () => {
    expect(await runIn({ allowChanges: [".envrc"] }, "echo x > .envrc")).toEqual({ code: 0, text: "" });
    writeFileSync(join(project, ".envrc"), "export A=1\n");
  });

  test("are locked again in the next session after a person has replaced one", async () => {
    const session = await open({}, "read line");
    const file = join(project, ".envrc");
    writeFileSync(join(project, "next"), "export A=1\n");
    renameSync(join(project, "next"), file);

    const { text } = await runIn({}, "echo x > .envrc");

    expect(text).toContain("Read-only file system");
    expect(readFileSync(file, "utf8")).toBe("export A=1\n");
    await session.close({ force: true });
  });
});

describe("files outside", () => {
  test("keep their permissions and times", async () => {
    chmodSync(join(outside, "theirs"), 0o644);
    const before = statSync(join(outside, "theirs"));

    const { text } = await runIn({}, "chmod 600 ../theirs; touch -d 2001-01-01 ../theirs");

    expect(text.match(/Read-only file system/g)).toHaveLength(2);
    const { mode, mtimeMs } = statSync(join(outside, "theirs"));
    expect({ mode, mtimeMs }).toEqual({ mode: before.mode, mtimeMs: before.mtimeMs });
  });
});
