/** What users set in their shells: traps, hooks, options, readonly variables, aliases, limits. */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { guardEveryCase } from "../../support/case-guard.ts";
import { needs, skipWithout } from "../../support/needs.ts";
import { outputHas } from "../../support/sessions.ts";
import { inEveryShell, SHELLS, type Told, untilAsleep, withShell } from "../../support/shells.ts";

guardEveryCase();

const printed = (output: string, exitCode = 0) => ({ output, exitCode });
const alive = printed("alive\n");

type Step = readonly [command: string, expected: string | RegExp, exitCode?: number];

/** Commands in one shell, each with what it gives. */
async function expectSteps(run: (command: string) => Promise<Told>, steps: readonly Step[]): Promise<void> {
  for (const [command, output, exitCode = 0] of steps) {
    const expected = typeof output === "string" ? output : expect.stringMatching(output);
    expect({ command, ...(await run(command)) }).toMatchObject({ command, output: expected, exitCode });
  }
}

describe.each(SHELLS)("in %s", (shell) => {
  skipWithout(shell);

  const steps: Record<string, readonly Step[]> = {
    "jobs are waited for, and their exit code is told": [
      ["(exit 7) & wait $!", /^/, 7],
      // ash forgets a job that has ended before it is waited for.
      ["go=$(mktemp -u); (until [ -e $go ]; do sleep 0.02; done) & p=$!", /^/],
      [': >$go; wait $p; echo "code $?"', /code 0\n$/],
      ["rm $go", /^/],
      ["wait; echo over", "over\n"],
    ],
    "nohup runs a program that stays": [
      ["nohup sleep 50 >/dev/null 2>&1 & kept=$!", /^(\[\d+\] \d+\n)?$/],
      // Between its fork and the program it is a copy of the shell, which ignores TERM in dash.
      ["until grep -q sleep /proc/$kept/comm; do sleep 0.02; done", ""],
      // A shell may tell of its end, here and not in a later command: it waits for it.
      ["kill -0 $kept && echo there; kill $kept; wait $kept", /^there\n(.*terminated.*\n)?$/i, 143],
    ],
    "descriptors that are opened both ways stay": [
      [
        'cd $(mktemp -d); echo abc >f; exec 3<>f; read l <&3; echo "[$l]"; echo more >&3; exec 3>&-; cat f',
        "[abc]\nabc\nmore\n",
      ],
      ["cd /; rm -r $OLDPWD; exec 4<>/dev/tty; echo x >&4", "x\n"],
      ["echo y >&4", "y\n"],
    ],
    "few descriptors and no rights for new files are enough": [
      ["ulimit -n 16; umask 777", ""],
      ["echo $(echo sub); (exit 3)", "sub\n", 3],
      ["umask | tail -c 4", "777\n"],
    ],
    "bytes that are no UTF-8 are shown as such, in any locale": [
      ["export LC_ALL=C", ""],
      ["printf '\\377\\376x\\n'; echo ü世", "\ufffd\ufffdx\nü世\n"],
      ["export LC_ALL=C.UTF-8; printf 'a\\303\\n'", "a\ufffd\n"],
      ["x=$(printf '\\200'); echo \"$x\" | od -An -tx1 | tr -d ' '", "800a\n"],
    ],
    "a prompt of the user's is never output": [
      ["PS1='\\[\\e[31m\\]\\u@\\h\\$ '; export PS1", ""],
      ["PS1=$(printf '\\033]0;title\\007> ')", ""],
      ["PS1='$(echo sub)`echo more`> '; PS2='more> '", ""],
      ["echo one", "one\n"],
    ],
    "our variables may be readonly": [
      ["readonly PS1; false", "", 1],
      ["echo $?; readonly PS2", "1\n"],
      ["echo two; (exit 4)", "two\n", 4],
    ],
    "reserved words may be aliases": [
      ["alias case='echo x' esac='echo x' in='echo x' if='echo x' then='echo x' do='echo x'", ""],
      ["alias '{'='echo x'; alias '}'='echo x'", ""],
      ["\\echo one; false", "one\n", 1],
      ["echo $?; (exit 3)", "1\n", 3],
      ["unalias -a", ""],
      ["f() { echo two; }", ""],
      ["f", "two\n"],
    ],
  };

  test.each(Object.entries(steps))("%s", async (_, list) => {
    await withShell({ shell }, async (_shell, run) => {
      await expectSteps(run, list);
      expect((await run("echo alive")).output).toBe("alive\n");
    });
  });
});

test.each([
  ["ignores Ctrl+C", "trap '' INT"],
  ["goes on after its trap", "trap 'echo trapped' INT"],
])("a time limit ends a read of the shell's own that %s, and the shell stays", async (_, trap) => {
  await inEveryShell(async (sh, run) => {
    const reads = `kept=yes; ${trap}; sleep 100; read one; while read two; do :; done; echo "[$one$two]"`;
    const running = run(reads);
    await untilAsleep(sh);
    expect(await sh.wait({ timeoutMs: 1 })).toMatchObject({
      timedOut: true,
      exitCode: 0,
      output: expect.stringMatching(/\[\]\n$/),
    });
    await running;
    expect(await run("echo $kept")).toEqual(printed("yes\n"));
  });
});

test("a shell that does not run what is typed is ended, and the result says so", async () => {
  const last = {
    bash: "readonly POSIXLY_CORRECT",
    zsh: "readonly _limpet_builtin",
    dash: "ulimit -n 4",
    // Here it ends by itself.
    busybox: "ulimit -n 4",
  };
  await inEveryShell(async (sh, _run, name) => {
    expect((await sh.run(last[name])).shellExit).not.toBeNull();
  });
});

test.skipIf(!needs("cgroups"))("what a detached program prints while a hook runs is kept", async () => {
  await inEveryShell(async (sh, run) => {
    await run("PROMPT_COMMAND='echo noise; sleep 0.2'; precmd() { echo noise; sleep 0.2; }");
    const counts = "for i in 1 2 3 4 5; do echo bg$i; sleep 0.04; done; echo over";
    const { output } = await run(`(setsid sh -c '${counts}' &)`);
    await outputHas(sh.session, "over");
    const { backgroundOutput = "" } = await run("echo next");
    const lines = `${output}${backgroundOutput}`.split("\n").filter((line) => /^bg\d$/.test(line));
    expect(lines).toEqual(["bg1", "bg2", "bg3", "bg4", "bg5"]);
  });
});

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
