/** What an agent is told about its sandbox: refusals, and files that were put back. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { LimpetError } from "../../../src/index.ts";
import { skipTestWithout, skipWithout } from "../../support/needs.ts";
import { openTools } from "../../support/tools.ts";

skipWithout("landlock");

let outside: string;
let project: string;
beforeEach(() => {
  outside = realpathSync(mkdtempSync(join(tmpdir(), "limpet-test-")));
  project = join(outside, "project");
  mkdirSync(join(project, ".git", "hooks"), { recursive: true });
  writeFileSync(join(project, ".git", "config"), "[core]\n\tbare = false\n");
  writeFileSync(join(project, ".envrc"), "mine");
});
afterEach(() => rmSync(outside, { recursive: true }));

const within = { files: "workspace" } as const;
const RESTORED = /^The sandbox restored (.*), which (.*) would use outside of it\./m;
const exec = (cmd: string) => ({ cmd, workdir: project, shell: "/bin/bash", login: false });

describe("a refusal is explained", () => {
  test("once, with the path, if the command failed", async () => {
    await using tools = openTools();

    const { text } = await tools.call("exec_command", exec(`touch ${outside}/new; touch ${outside}/other`), { within });

    expect(text.match(/Refused by the sandbox.*/g)).toEqual([
      `Refused by the sandbox (workspace): writing to "${outside}/other"`,
    ]);
  });

  test("in a shell of run, for a path relative to its directory", async () => {
    await using tools = openTools();
    await tools.call("run", { command: `cd ${project}` }, { within: { files: "read-only" } });

    const { text } = await tools.call("run", { command: "touch new" }, { within: { files: "read-only" } });

    expect(text).toContain(`Refused by the sandbox (read-only): writing to "${project}/new"`);
  });

  test.each([
    ["a command that succeeds", () => `touch ${outside}/new; true`],
    ["a path that the sandbox allows", () => "touch x; chmod 0 x; echo 'x: Permission denied' >&2; false"],
    ["a program that only mentions a path", () => "cat /etc/hostname-missing; false"],
  ])("but not for %s", async (_, command) => {
    await using tools = openTools();

    const { text } = await tools.call("exec_command", exec(command()), { within });

    expect(text).not.toContain("Refused by the sandbox");
  });
});

describe("a file that runs code later", () => {
  test("is put back when the program ends, and that is reported once", async () => {
    await using tools = openTools();

    const first = await tools.call("exec_command", exec("echo evil > .git/hooks/pre-commit; echo x >> .envrc"), {
      within,
    });
    const second = await tools.call("exec_command", exec("ls .git/hooks; cat .envrc"), { within });

    expect(first.text).toMatch(RESTORED);
    expect(first.text).toContain("The sandbox restored .git/hooks/pre-commit, which git would");
    expect(second.text).not.toMatch(RESTORED);
    expect(second.text).toMatch(/Output:\nmine$/);
  });

  test("is put back after each command of a shell", async () => {
    await using tools = openTools();
    const fresh = {
      caller: "c",
      on: { kind: "run", run: { command: "true", shell: "s", fresh: { cwd: project } } },
      within,
    } as const;
    await tools.sessions.turn(fresh);

    const { text } = await tools.call("run", { command: "echo evil > .envrc; cat .envrc", shell: "s" }, { within });

    expect(text).toMatch(/restored \.envrc, which direnv would[\s\S]*Output:\nevil\n?$/);
    expect(readFileSync(join(project, ".envrc"), "utf8")).toBe("mine");
  });

  test("may be changed by a person while a shell is idle", async () => {
    await using tools = openTools();
    const turn = (command: string) =>
      ({ caller: "c", on: { kind: "run", run: { command, shell: "s", fresh: { cwd: project } } }, within }) as const;
    await tools.sessions.turn(turn("true"));

    // The shell needs a moment to come to its prompt, where it sleeps.
    const changed = async () => {
      writeFileSync(join(project, ".envrc"), "changed by me");
      await tools.sessions.turn(turn("true"));
      return readFileSync(join(project, ".envrc"), "utf8");
    };
    await expect.poll(changed, { interval: 600 }).toBe("changed by me");
  });

  test("is not lost to a process that a command left behind", async () => {
    await using tools = openTools();
    const turn = (command: string) =>
      ({ caller: "c", on: { kind: "run", run: { command, shell: "s", fresh: { cwd: project } } }, within }) as const;
    await tools.sessions.turn(
      turn("(while [ ! -e go ]; do sleep 0.05; done; echo evil > .envrc; touch gone) & disown"),
    );

    writeFileSync(join(project, "go"), "");
    await expect.poll(() => readFileSync(join(project, ".envrc"), "utf8")).toBe("evil\n");
    const { around } = await tools.sessions.turn(turn("true"));

    expect(around.sandboxNotes.join("\n")).toMatch(RESTORED);
    expect(readFileSync(join(project, ".envrc"), "utf8")).toBe("mine");
  });

  test("is kept as it was, for a person who edited it while a program ran", async () => {
    await using tools = openTools("all", { defaults: { stateDirectory: join(outside, "state") } });
    await tools.call(
      "exec_command",
      { ...exec("echo up; while :; do :; done"), until: "up", name: "server" },
      { within },
    );

    writeFileSync(join(project, ".envrc"), "edited by me");
    const { text } = await tools.call("exec_command", exec("true"), { within });

    const [, kept = ""] = /What was there is kept in (\S+)\. A person/.exec(text) ?? [];
    expect(text).toMatch(RESTORED);
    expect(readFileSync(join(kept, ".envrc"), "utf8")).toBe("edited by me");
    expect(readFileSync(join(project, ".envrc"), "utf8")).toBe("mine");
  });

  test.each([
    ["a repository that becomes a file", "mv .git moved; echo 'gitdir: moved' > .git", ".git"],
    ["a repository that becomes a link", "mv .git moved; ln -s moved .git", ".git"],
    ["a monitor of git", "git config core.fsmonitor ./evil", ".git/config"],
    ["a pager of git", "git config core.pager ./evil", ".git/config"],
    ["other files for git", "git config core.worktree ../..", ".git/config"],
    ["other hooks", "git config core.hooksPath evil", ".git/config"],
    ["an included file", "git config include.path ../evil", ".git/config"],
    ["a driver for differences", "git config diff.x.textconv ./evil", ".git/config"],
    ["the configuration of a worktree", "git config -f .git/config.worktree core.pager x", ".git/config.worktree"],
    [
      "a hook of a submodule",
      "mkdir -p .git/modules/a/hooks; touch .git/modules/a/HEAD; echo x > .git/modules/a/hooks/x",
      ".git/modules/a/hooks/x",
    ],
    ["the rules of the project", "echo '{}' > .limpet.policy.json", ".limpet.policy.json"],
  ])("is put back: %s", async (_, command, path) => {
    skipTestWithout("git");
    await using tools = openTools();
    await tools.call("exec_command", exec("git init -q . && git config user.name me"));

    const { text } = await tools.call("exec_command", exec(command), { within });

    expect(text).toMatch(RESTORED);
    expect(text).toContain(path);
    expect(lstatSync(join(project, ".git")).isDirectory()).toBe(true);
    expect((await tools.call("exec_command", exec("git config --list --local 2>&1"))).text).not.toMatch(/evil|pager/);
  });

  test("is put back when the session is closed", async () => {
    await using tools = openTools();
    const { structured } = await tools.call(
      "exec_command",
      // SIGTERM follows soon, and an untrapped one would end it before a busy machine lets it write.
      { ...exec("trap 'echo evil > .envrc; exit' HUP TERM; echo up; sleep 1000 & wait"), until: "up" },
      { within },
    );

    const { text } = await tools.call("close_session", { session_id: structured["session_id"] });

    expect(text).toMatch(RESTORED);
    expect(readFileSync(join(project, ".envrc"), "utf8")).toBe("mine");
  });

  test("stays as the program left it if the person allows that", async () => {
    await using tools = openTools();

    await tools.call("exec_command", exec("echo new > .envrc"), { within: { ...within, allowChanges: [".envrc"] } });

    expect(readFileSync(join(project, ".envrc"), "utf8")).toBe("new\n");
  });
});

test("a mistake in the project's settings is an error, and nothing runs", async () => {
  await using tools = openTools();
  const broken = () => {
    throw new LimpetError("BAD_CONFIG", ".limpet.json: Line 2 has 7 for sandbox.");
  };

  for (const [name, args] of [
    ["exec_command", exec("touch ran")],
    ["run", { command: `touch ${project}/ran` }],
  ] as const) {
    const { text, isError } = await tools.raw(name, args, { within: broken });

    expect({ isError, text }).toEqual({ isError: true, text: "BAD_CONFIG: .limpet.json: Line 2 has 7 for sandbox." });
  }
  expect(existsSync(join(project, "ran"))).toBe(false);
});
