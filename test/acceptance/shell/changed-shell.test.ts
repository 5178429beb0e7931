/** A command has its own output and its exit code, whatever the commands before it have changed in the shell. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { guardEveryCase } from "../../support/case-guard.ts";
import { skipWithout } from "../../support/needs.ts";
import { SHELLS, type ShellName, withShell } from "../../support/shells.ts";

guardEveryCase();

const printed = (output: string, exitCode = 0) => ({ output, exitCode });
/** Only what these two have. */
const isRich = (shell: ShellName) => shell === "bash" || shell === "zsh";

describe.each(SHELLS)("in %s", (shell) => {
  skipWithout(shell);

  test.each([
    ["set -x", "echo one", /^\+.*echo one\none\n$/],
    ["set -v", "echo one", /^(echo one\n)?one\n$/],
    ["set -u", "x=one; echo $x", /^one\n$/],
    ["set -C", "echo one", /^one\n$/],
    ["set -o noglob", "echo *", /^\*\n$/],
    ["IFS=", "echo one", /^one\n$/],
    ["IFS=0123456789abcdef", "echo one", /^one\n$/],
    ["PATH=", "echo one", /^one\n$/],
    ["unset PS1 PS2 PS4 IFS PATH HOME PWD OLDPWD TERM", "echo one", /^one\n$/],
    ["PS1=other PS2=more", "echo one", /^one\n$/],
    ["stty raw", "printf one", /^one$/],
    ["stty -echo", "echo one", /^one\n$/],
    ["stty intr x erase y kill z eof w", "echo xyzw", /^xyzw\n$/],
    ["reset", "echo one", /^one\n$/],
    ["exec 3>&1", "echo one >&3", /^one\n$/],
    ["trap 'echo gone' EXIT", "echo one", /^one\n$/],
    ["set -m", "echo one", /^one\n$/],
    ["set +m", "echo one", /^one\n$/],
    ["set -o vi", "echo one", /^one\n$/],
    ["set -o emacs", "echo one", /^one\n$/],
    ["printf '\\033c\\033[?1049h'", "echo one", /one\n$/],
    ["export LC_ALL=C", "echo ü", /^ü\n$/],
    ["umask 777", "echo one", /^one\n$/],
    ["ulimit -f 0", "echo one", /^one\n$/],
    ["set -a", "one=1; echo one", /^one\n$/],
    ["unset IFS; readonly IFS", "echo one", /^one\n$/],
  ])("after %j a command has its own output and nothing else", async (setting, command, expected) => {
    await withShell({ shell }, async (_shell, run) => {
      await run(setting);
      for (let round = 0; round < 3; round += 1) {
        const result = await run(command);
        expect(result).toEqual({ output: expect.stringMatching(expected), exitCode: 0 });
      }
    });
  });

  test("functions and aliases with the names of what we use are not called by us, and stay", async () => {
    const names = [
      "printf",
      "eval",
      "set",
      "unset",
      "builtin",
      "command",
      "read",
      "test",
      "export",
      "declare",
      "exit",
      "trap",
      "shopt",
      "stty",
      "true",
      "exec",
    ];
    await withShell({ shell }, async (_shell, run) => {
      const special = new Set(isRich(shell) ? [] : ["eval", "set", "unset", "export", "exit", "trap", "exec"]);
      // dash refuses to define functions with the names of special builtins.
      const functions = names.filter((name) => !special.has(name)).map((name) => `${name}() { echo fake; }`);
      const aliases = names.map((name) => `alias ${name}='echo aliased'`);
      await run(aliases.join("\n"));
      expect(await run("echo one")).toEqual(printed("one\n"));
      expect(await run("printf x")).toEqual(printed("aliased x\n"));
      await run("unalias -a");
      await run(functions.join("\n"));
      expect(await run("echo two")).toEqual(printed("two\n"));
      expect(await run("printf x")).toEqual(printed("fake\n"));
      expect(await run("echo three; false || echo $?")).toEqual(printed("three\n1\n"));
      if (isRich(shell)) expect(await run("builtin x; eval y")).toEqual(printed("fake\nfake\n"));
    });
  });

  test("a directory that was deleted does not hold the shell up", async () => {
    await withShell({ shell }, async (_shell, run) => {
      await run("d=$(mktemp -d); cd $d; rmdir $d");
      expect(await run("echo one")).toEqual(printed("one\n"));
      expect(await run("cd /tmp; pwd")).toEqual(printed("/tmp\n"));
    });
  });

  test("directories come back exactly, whatever is in their names", async () => {
    const root = await mkdtemp(join(tmpdir(), "shell-names-"));
    const names = [
      "a\nb",
      "\n",
      "e\x1b[31m",
      "\x07bell",
      "\r\n",
      "tab\t",
      "q'\"\\$`",
      "ü世",
      ";x;",
      " ",
      "\x1b]6973;e;0;0",
      "-n",
      "%s%n",
    ];
    try {
      await withShell({ shell }, async (sh) => {
        for (const name of names) {
          const path = join(root, name);
          const quoted = `'${path.replaceAll("'", "'\\''")}'`;
          const result = await sh.run(`mkdir -p -- ${quoted} && cd -- ${quoted}`);
          expect({ exitCode: result.exitCode, output: result.output, cwd: result.cwd }).toEqual({
            exitCode: 0,
            output: "",
            cwd: path,
          });
        }
      });
    } finally {
      await rm(root, { recursive: true });
    }
  });

  test("a redirected stderr or stdout of the shell does not hide the end of a command", async () => {
    const directory = await mkdtemp(join(tmpdir(), "shell-exec-"));
    try {
      await withShell({ shell }, async (_shell, run) => {
        expect(await run(`exec 2>${directory}/err`)).toEqual(printed(""));
        expect(await run("echo one; echo two >&2")).toEqual(printed("one\n"));
        expect(await run(`exec >${directory}/out`)).toEqual(printed(""));
        expect(await run("echo three")).toEqual(printed(""));
        expect(await run("exec >/dev/tty 2>&1; echo four")).toEqual(printed("four\n"));
      });
      expect(await readFile(`${directory}/out`, "utf8")).toContain("three\n");
      expect(await readFile(`${directory}/err`, "utf8")).toContain("two\n");
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});

describe("in bash", () => {
  test.each([
    "trap 'echo trap' DEBUG",
    "trap 'echo trap' ERR",
    "trap 'echo trap' RETURN",
    "set -T; trap 'echo trap' DEBUG",
    "set -E; trap 'echo trap' ERR",
  ])("%j does not get in the way", async (setting) => {
    await withShell({ shell: "bash" }, async (_shell, run) => {
      await run(setting);
      const result = await run("echo one");
      expect(result.output.replaceAll("trap\n", "")).toBe("one\n");
      expect(result.exitCode).toBe(0);
      expect(await run("trap - DEBUG ERR RETURN")).toMatchObject({ exitCode: 0 });
      expect((await run("echo alive")).output).toBe("alive\n");
    });
  });

  test("history is not expanded, and does not hold our lines", async () => {
    await withShell({ shell: "bash" }, async (_shell, run) => {
      expect(await run("echo \"hi!!\" '!$' !x")).toEqual(printed("hi!! !$ !x\n"));
      await run("set -o history; set -H");
      expect(await run("echo '!!'; history")).toEqual(printed("!!\n"));
    });
  });

  test("options that POSIX mode changes are as the user left them", async () => {
    await withShell({ shell: "bash" }, async (_shell, run) => {
      const show =
        "shopt expand_aliases inherit_errexit interactive_comments shift_verbose sourcepath | tr -s ' \\t\\n' ' '; shopt -o posix | tr -s ' \\t' ' '; [ -v POSIXLY_CORRECT ] || echo unset";
      expect((await run(show)).output).toBe(
        "expand_aliases on inherit_errexit off interactive_comments on shift_verbose off sourcepath on posix off\nunset\n",
      );
      await run("shopt -u expand_aliases interactive_comments sourcepath; shopt -s shift_verbose inherit_errexit");
      expect((await run(show)).output).toBe(
        "expand_aliases off inherit_errexit on interactive_comments off shift_verbose on sourcepath off posix off\nunset\n",
      );
      await run("set -o posix");
      expect((await run("shopt -o posix | tr -s ' \\t' ' '")).output).toBe("posix on\n");
      expect((await run("shopt -o posix | tr -s ' \\t' ' '")).output).toBe("posix on\n");
    });
  });
});
