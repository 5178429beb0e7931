import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { guardEveryCase } from "../../support/case-guard.ts";
import { skipWithout } from "../../support/needs.ts";
import { codeOf } from "../../support/sessions.ts";
import { SHELLS, type ShellName, withShell } from "../../support/shells.ts";

guardEveryCase();

const printed = (output: string, exitCode = 0) => ({ output, exitCode });
const alive = printed("alive\n");
/** Only what these two have. */
const isRich = (shell: ShellName) => shell === "bash" || shell === "zsh";

describe.each(SHELLS)("in %s", (shell) => {
  skipWithout(shell);

  test.each([
    ["a trailing comment", "echo one # two", "one\n"],
    ["a trailing semicolon", "echo one;", "one\n"],
    ["several lines", "echo one\necho two", "one\ntwo\n"],
    ["an empty command", "", ""],
    ["blank lines", "\n\n  \n", ""],
    ["a heredoc", "cat <<END\none $((1 + 1))\nEND", "one 2\n"],
    ["a heredoc that is the last line", "cat <<'END'\n$HOME\nEND\n", "$HOME\n"],
    ["a heredoc with tabs", "cat <<-END\n\t\tone\n\tEND", "one\n"],
    ["quotes of all kinds", `echo 'a"b' "c'd" \\$ '\\' '!' "x!y"`, `a"b c'd $ \\ ! x!y\n`],
    ["a line that is continued", "echo one \\\ntwo", "one two\n"],
    ["output without a final newline", "printf one", "one"],
    ["other alphabets", "echo 'ü 世 🎉'", "ü 世 🎉\n"],
    ["a subshell", "(echo one)", "one\n"],
    ["a loop", "for i in 1 2 3\ndo echo $i\ndone", "1\n2\n3\n"],
  ])("%s is a command like any other", async (_, command, output) => {
    await withShell({ shell }, async (_shell, run) => {
      expect(await run(command)).toEqual(printed(output));
      expect(await run("echo alive")).toEqual(alive);
    });
  });

  test.each([
    "echo 'one",
    'echo "one',
    "if true; then",
    "echo )",
    "fi",
    "do",
    "cat <<END\none",
    "echo $(",
    "{ echo one",
    "for",
    "case x in",
    "&& echo one",
    "echo ${",
    "f() {",
    "\\",
    "<",
  ])("%j gives a result at once and leaves the shell intact", async (command) => {
    await withShell({ shell }, async (_shell, run) => {
      await run("kept=yes; cd /tmp");
      const result = await run(command);
      expect(result).toMatchObject({ exitCode: expect.any(Number) });
      expect(result.timedOut).toBeUndefined();
      expect(await run('echo "$kept $PWD"')).toEqual(printed("yes /tmp\n"));
    });
  });

  test("variables, functions, directory and the exit code stay between commands", async () => {
    await withShell({ shell, cwd: "/" }, async (sh, run) => {
      await run("greeting=hello; greet() { echo $greeting; }");
      expect(await run("greet; cd /usr; false")).toEqual(printed("hello\n", 1));
      expect(await run('echo "$? $PWD"')).toEqual(printed("1 /usr\n"));
      expect((await sh.run("(exit 42)")).exitCode).toBe(42);
      expect(await run("echo $?")).toEqual(printed("42\n"));
      expect((await sh.state()).cwd).toBe("/usr");
    });
  });

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

  test("every byte but NUL arrives in a command as it is", async () => {
    await withShell({ shell }, async (_shell, run) => {
      const quoted = (code: number) => (code === 39 ? '"\'"' : `'${String.fromCharCode(code)}'`);
      for (let first = 0; first < 128; first += 16) {
        const codes = Array.from({ length: 16 }, (_, index) => first + index).filter((code) => code > 0);
        const expected = codes.map((code) => code.toString(16).padStart(2, "0")).join("");
        const command = `printf %s ${codes.map(quoted).join(" ")} | od -An -v -tx1 | tr -d ' '`;
        expect(await run(command)).toEqual(printed(`${expected}\n`));
      }
      expect(await run("printf %s 'ü\u0080\u0088ÿ' | od -An -tx1 | tr -d ' '")).toEqual(printed("c3bcc280c288c3bf\n"));
    });
  });

  test("a NUL is refused", async () => {
    await withShell({ shell }, async (sh, run) => {
      expect(await codeOf(sh.run("echo \0"))).toBe("NUL_BYTE");
      expect(await run("echo alive")).toEqual(alive);
    });
  });

  test.each([
    ["one line", (size: number) => `echo ${"x".repeat(size)} | wc -c`, (size: number) => `${size + 1}\n`],
    [
      "many lines",
      (size: number) => `cat <<'END' | wc -c\n${"a line with 'quote'\n".repeat(size / 20)}END`,
      (size: number) => `${size}\n`,
    ],
  ])("a megabyte of command text is run whole, as %s", async (_, command, expected) => {
    await withShell({ shell }, async (_shell, run) => {
      // echo is a builtin and takes any length.
      expect(await run(command(1_000_000))).toEqual(printed(expected(1_000_000)));
      expect(await run("echo alive")).toEqual(alive);
    });
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

  test("a command that prints marks with another nonce does not end itself", async () => {
    await withShell({ shell }, async (sh, run) => {
      const forged = `\\033]6973;e;${"0".repeat(32)};0;;/;${"0".repeat(32)}\\007`;
      expect(await run(`printf 'a${forged}b\\n\\033]6973;p;${"0".repeat(32)}\\007c\\n'; (exit 7)`)).toEqual(
        printed("ab\nc\n", 7),
      );
      const raw = await sh.session.readText({ from: 0, maxBytes: 10_000 });
      expect(raw.text).toContain("\x1b]6973;e;0000");
    });
  });

  test("a command that prints all of its variables and its environment does not end itself", async () => {
    await withShell({ shell }, async (sh, run) => {
      for (const command of [
        "set",
        "env",
        "export -p",
        "set; env; cat /proc/$$/environ",
        'echo "$PS1"',
        "alias; trap",
      ]) {
        const result = await run(`${command}; (exit 9)`);
        expect({ command, exitCode: result.exitCode, running: result.isRunning }).toEqual({
          command,
          exitCode: 9,
          running: undefined,
        });
      }
      expect(await run("echo alive")).toEqual(alive);
      expect(sh.session.exit).toBeUndefined();
    });
  });

  test("marks are in no view of the output", async () => {
    await withShell({ shell }, async (sh, run) => {
      await run("echo one");
      await run("cd /tmp; echo two");
      const raw = await sh.session.readText({ from: 0, maxBytes: 100_000 });
      expect(raw.text).toBe("one\r\ntwo\r\n");
    });
  });

  test("binary output arrives byte for byte", async () => {
    await withShell({ shell }, async (sh) => {
      const result = await sh.run(
        'stty -opost; i=0; while [ $i -lt 256 ]; do printf "\\\\$(printf %03o $i)"; i=$((i+1)); done; stty opost',
      );
      const page = await sh.session.read({ from: result.from, maxBytes: 1_000 });
      expect(Buffer.from(page.bytes).equals(Buffer.from(Array.from({ length: 256 }, (_, code) => code)))).toBe(true);
    });
  });
});

describe.each(["bash", "zsh"] as const)("in %s", (shell) => {
  skipWithout(shell);

  test("a here-string is a command like any other", async () => {
    await withShell({ shell }, async (_shell, run) => {
      expect(await run("cat <<<one")).toEqual(printed("one\n"));
    });
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
