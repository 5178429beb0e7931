/** What users set in bash and in zsh alone: their traps, hooks and options, also in start files. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { guardEveryCase } from "../../support/case-guard.ts";
import { expectSteps, type Step } from "../../support/shell-steps.ts";
import { untilAsleep, withShell } from "../../support/shells.ts";

guardEveryCase();

const printed = (output: string, exitCode = 0) => ({ output, exitCode });
const alive = printed("alive\n");

describe("in bash", () => {
  const steps: Record<string, readonly Step[]> = {
    "a coprocess is talked to over several commands": [
      ["coproc CP { cat; }", /^\[1\] \d+\n$/],
      ["echo hi >&${CP[1]}; read l <&${CP[0]}; echo [$l]", "[hi]\n"],
      ["kill $CP_PID; wait $CP_PID", /./s, 143],
    ],
    "processes are substituted": [
      ["cat <(echo a) <(echo b)", "a\nb\n"],
      ["echo one > >(cat); wait $!", "one\n"],
    ],
    "a disowned job stays": [
      ["sleep 50 & disown; jobs; kept=$!", /^\[1\] \d+\n$/],
      ["kill -0 $kept && kill $kept", ""],
    ],
    "POSIX mode and extdebug are the user's": [
      ["set -o posix; shopt -s extdebug", ""],
      ["cat <<E\nx\nE\nfalse", "x\n", 1],
      ["shopt -o posix | tr -s ' \\t' ' '; shopt extdebug | tr -s ' \\t' ' '", "posix on\nextdebug on\n"],
    ],
    "a DEBUG trap is called for each command, and for the three words around them": [
      ["n=0; trap '((++n))' DEBUG", ""],
      ["n=0", ""],
      ["trap - DEBUG; echo $((n > 0))", "1\n"],
      ["trap 'echo \"<$BASH_COMMAND>\"' DEBUG", /^$/],
      ["echo one", /^(<.*>\n)*<echo one>\none\n$/s],
      ["trap - DEBUG", /./s],
    ],
    "an ERR trap is called for a command that fails, and once more for eval": [
      ["trap 'echo \"failed $?\"' ERR", ""],
      ["true", ""],
      ["(exit 3)", "failed 3\nfailed 3\n", 3],
      ["true", ""],
      ["(exit 3) || echo no", "no\n"],
    ],
    "an EXIT trap is called at the end of the shell alone": [
      ["trap 'echo bye' EXIT", ""],
      ["echo one", "one\n"],
      ["exit 4", /bye\n$/, 4],
    ],
    "whatever PROMPT_COMMAND does, results are right": [
      ["PROMPT_COMMAND='false'", ""],
      ["echo $?; (exit 3)", "0\n", 3],
      ["echo $?; PROMPT_COMMAND='echo out; echo err >&2'", "3\n"],
      ["echo two", "two\n"],
      ["PROMPT_COMMAND='no_such_program'", ""],
      ["PROMPT_COMMAND='syntax ('", ""],
      ["PROMPT_COMMAND='return 3'", ""],
      ["PROMPT_COMMAND=('echo a' 'echo b')", ""],
      ["echo three; false", "three\n", 1],
    ],
  };

  test.each(Object.entries(steps))("%s", async (_, list) => {
    await withShell({ shell: "bash" }, async (sh, run) => {
      await expectSteps(run, list);
      const isLastExit = list.at(-1)?.[0].startsWith("exit") === true;
      const last = sh.session.exit === undefined ? (await run("echo alive")).output : "gone";
      expect(last).toBe(isLastExit ? "gone" : "alive\n");
    });
  });
});

describe("in zsh", () => {
  const steps: Record<string, readonly Step[]> = {
    "a coprocess is talked to over several commands": [
      ["coproc cat", /^\[\d+\] \d+\n$/],
      ['print -p hi; read -p l; echo "[$l]"', "[hi]\n"],
      ["coproc :; wait", /./s],
    ],
    "processes are substituted, and disowned jobs stay": [
      ["cat <(echo a) =(echo b)", "a\nb\n"],
      ["sleep 50 &!", ""],
      ["kill $!", ""],
    ],
    "traps and hooks as functions are called for the user's commands": [
      ['TRAPZERR() { echo "failed $?"; }', ""],
      ["echo one", "one\n"],
      ["(exit 3)", /^(failed 3\n)+$/, 3],
      ["unfunction TRAPZERR; preexec() { echo noise; }; precmd() { echo noise; false; }", ""],
      ["echo two; (exit 4)", /two\n$/, 4],
      ["echo $?", /4\n$/],
      ["unfunction preexec precmd; TRAPEXIT() { echo bye; }", /^/],
      ["exit 5", /bye\n$/, 5],
    ],
    "odd options are the user's": [
      ["setopt errreturn; false; echo no", "", 1],
      ["setopt ksharrays shwordsplit nullglob globsubst", ""],
      ["echo two; false", "two\n", 1],
      ["setopt noglob ignorebraces nounset warncreateglobal cshjunkiequotes rcquotes shglob", ""],
      ["echo three", "three\n"],
      ["unsetopt ignorebraces; setopt ignoreclosebraces", ""],
      ["echo four; (exit 6)", "four\n", 6],
      ["emulate sh", ""],
      ["echo five; false", "five\n", 1],
      ["emulate ksh; echo six", "six\n"],
    ],
  };

  test.each(Object.entries(steps))("%s", async (_, list) => {
    await withShell({ shell: "zsh" }, async (sh, run) => {
      await expectSteps(run, list);
      const isLastExit = list.at(-1)?.[0].startsWith("exit") === true;
      const last = sh.session.exit === undefined ? (await run("echo alive")).output : "gone";
      expect(last).toBe(isLastExit ? "gone" : "alive\n");
    });
  });

  test("TRAPINT decides what Ctrl+C does", async () => {
    await withShell({ shell: "zsh" }, async (sh, run) => {
      await run("TRAPINT() { echo trapped; return 1; }");
      const waiting = run("echo started; sleep 100; echo never");
      await untilAsleep(sh);
      await sh.interrupt();
      expect(await waiting).toMatchObject({ exitCode: 1, output: expect.stringContaining("trapped") });
      expect(await run("echo alive")).toEqual(alive);
    });
  });
});

test.each([
  [
    "bash",
    ".bash_profile",
    "trap 'echo debug >/dev/null' DEBUG\ntrap 'echo failed' ERR\ntrap 'echo bye' EXIT\nPROMPT_COMMAND=false\n",
  ],
  ["zsh", ".zshrc", "TRAPZERR() { echo failed }\nTRAPEXIT() { echo bye }\npreexec() { : }\nprecmd() { false }\n"],
] as const)("traps and hooks of %s's start files do not get in the way", async (shell, file, text) => {
  const home = await mkdtemp(join(tmpdir(), "shell-home-"));
  try {
    await writeFile(join(home, file), text);
    await withShell({ shell, startFiles: "login", env: { HOME: home, ZDOTDIR: home } }, async (_shell, run) => {
      expect(await run("echo one")).toEqual(printed("one\n"));
      expect(await run("(exit 3)")).toMatchObject({ exitCode: 3, output: expect.stringMatching(/^(failed\n)+$/) });
      expect(await run("echo $?")).toEqual(printed("3\n"));
      expect(await run("exit 6")).toMatchObject({ exitCode: 6, output: expect.stringMatching(/bye\n$/) });
    });
  } finally {
    await rm(home, { recursive: true });
  }
});
