/** What users set in any shell: traps, hooks, options, readonly variables, aliases, limits. */
import { describe, expect, test } from "vitest";
import { guardEveryCase } from "../../support/case-guard.ts";
import { needs, skipWithout } from "../../support/needs.ts";
import { outputHas } from "../../support/sessions.ts";
import { expectSteps, type Step } from "../../support/shell-steps.ts";
import { inEveryShell, SHELLS, untilAsleep, withShell } from "../../support/shells.ts";

guardEveryCase();

const printed = (output: string, exitCode = 0) => ({ output, exitCode });

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
