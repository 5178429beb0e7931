/** A command of any form gives its own output and its exit code, byte for byte. */
import { describe, expect, test } from "vitest";
import { guardEveryCase } from "../../support/case-guard.ts";
import { skipWithout } from "../../support/needs.ts";
import { codeOf } from "../../support/sessions.ts";
import { SHELLS, withShell } from "../../support/shells.ts";

guardEveryCase();

const printed = (output: string, exitCode = 0) => ({ output, exitCode });
const alive = printed("alive\n");

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
