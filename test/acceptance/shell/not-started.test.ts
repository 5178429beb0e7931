/** A command either starts, or its caller learns that it did not: what may come between it and the shell. */

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { withTimeout } from "../../../src/base/async/with-timeout.ts";
import type { Exit } from "../../../src/base/exit.ts";
import type { Shell } from "../../../src/entries/shell.ts";
import type { LimpetError } from "../../../src/index.ts";
import { internalsOf } from "../../../src/session/session-internals.ts";
import { guardEveryCase } from "../../support/case-guard.ts";
import { skipWithout } from "../../support/needs.ts";
import { codeOf, isLong, outputHas } from "../../support/sessions.ts";
import { SHELLS, told, untilAsleep, withShell } from "../../support/shells.ts";
import { temporaryDirectory } from "../../support/watching.ts";

guardEveryCase();

const printed = (output: string, exitCode = 0) => ({ output, exitCode });

/** These two jump out of their handlers of Ctrl+C, maybe out of the C library, and crash at times, in any terminal. */
function hasCrashed(shell: string, exit: Exit | undefined): boolean {
  const isKnown = shell === "busybox" || shell === "dash";
  return isKnown && exit?.kind === "signal" && ["SIGSEGV", "SIGABRT"].includes(exit.signal);
}

/** More than once: the first can hit a shell that is just between two programs. */
async function interruptUntilOver(sh: Shell, waiting: Promise<unknown>): Promise<void> {
  do await sh.interrupt();
  while (!(await withTimeout(300, waiting)));
}

describe.each(SHELLS)("in %s", (shell) => {
  skipWithout(shell);

  test("a line that a person has started to type is neither run nor cut", async () => {
    await withShell({ shell }, async (sh, run) => {
      await run("true");
      await sh.write("echo typed: ");
      expect(await codeOf(sh.run("echo between"))).toBe("SHELL_BUSY");
      await sh.write("echo danger\n");
      await outputHas(sh.session, "typed: echo danger");
      expect((await sh.run("echo after", { timeoutMs: 10_000 })).output).toBe("after\n");
    });
  });

  test("a line without Enter is quoted in the error, with how to clear or run it", async () => {
    await withShell({ shell }, async (sh, run) => {
      await run("true");
      await sh.write("rm -rf \u202ebuild");
      await expect(sh.run("echo between")).rejects.toMatchObject({
        code: "SHELL_BUSY",
        message: expect.stringMatching(/"rm -rf \\u202ebuild".*Ctrl\+U.*Enter/s),
      });
      await sh.write("\x15");
      expect(await run("echo after")).toMatchObject(printed("after\n"));
    });
  });

  test("a line that was typed without Enter while a command ran is kept, and one that a program has read is not taken for one", async () => {
    await withShell({ shell }, async (sh, run) => {
      const go = join(temporaryDirectory(), "go");
      const waiting = run(`until [ -e ${go} ]; do sleep 0.1; done`);
      await untilAsleep(sh);
      await sh.write("echo typed: ");
      await writeFile(go, "");
      await waiting;
      expect(await codeOf(sh.run("echo between"))).toBe("SHELL_BUSY");
      await sh.write("later\n");
      await outputHas(sh.session, "typed: later");
      expect((await sh.run("cat", { timeoutMs: 10_000 })).waitingFor).toBe("line");
      await sh.write("taken\x04\x04");
      await sh.wait({ timeoutMs: 10_000 });
      expect((await run("echo after")).output).toBe("after\n");
    });
  });

  test("a line that was erased does not block commands", async () => {
    await withShell({ shell }, async (sh, run) => {
      await run("true");
      for (const typed of ["ls\x7f\x7f", "ls\x15", "ls\x03"]) {
        await sh.write(typed);
        expect(await run("echo after")).toMatchObject(printed("after\n"));
      }
    });
  });

  test("after Ctrl+C at an idle prompt the next command is run", async () => {
    await withShell({ shell }, async (sh, run) => {
      for (let round = 0; round < 5; round += 1) {
        await sh.write("\x03");
        expect(await run(`echo ${round}`)).toMatchObject(printed(`${round}\n`));
      }
    });
  });

  test("a command that is interrupted while it is being typed is not run in pieces", async () => {
    await withShell({ shell }, async (sh, run) => {
      const lines = Array.from({ length: 400 }, (_, index) => `echo piece ${index}; : '${"x".repeat(60)}'`);
      for (const turns of [0, 1, 4, 16]) {
        const waiting = run(`: <<'EOF'\n${lines.join("\n")}\nEOF\nwhile :; do :; done`);
        while (internalsOf(sh.session).finishes.isBetween) await nextTurn();
        for (let turn = 0; turn < turns; turn += 1) await nextTurn();
        await interruptUntilOver(sh, waiting);
        const { output, exitCode, shellExit } = await waiting;
        // Its C library has printed why.
        if (hasCrashed(shell, shellExit ?? undefined)) return;
        expect({ output, isSound: exitCode === 0 }).toEqual({ output: expect.stringMatching(/^\n*$/), isSound: false });
        const after = sh.session.exit ?? (await run("echo alive"));
        if (hasCrashed(shell, sh.session.exit)) return;
        expect(after).toMatchObject(printed("alive\n"));
      }
    });
  });

  test("a command that is interrupted as soon as it is typed ends, and its shell does not", async () => {
    await withShell({ shell }, async (sh, run) => {
      for (let round = 0; round < (isLong ? 100 : 5); round += 1) {
        const waiting = run("sleep 1000");
        await interruptUntilOver(sh, waiting);
        expect(await waiting).toMatchObject({ exitCode: 130 });
      }
      expect(await run("echo alive")).toMatchObject(printed("alive\n"));
    });
  });

  test("a shell survives a signal to its command although a person has typed an open quote", async () => {
    await withShell({ shell }, async (sh, run) => {
      const waiting = run("echo started; while :; do :; done");
      await outputHas(sh.session, "started\r\n");
      await sh.write("echo 'open\n");
      await outputHas(sh.session, "echo 'open\r\n");
      // Unlike Ctrl+C, it leaves what was typed in the terminal.
      process.kill(sh.session.pid ?? 0, "SIGINT");

      expect(await waiting).toMatchObject({ exitCode: 130 });
      expect(await run("echo alive")).toMatchObject(printed("alive\n"));
    });
  });

  test("a command that its shell cannot read any more has no exit code, or is refused if the shell has already ended", async () => {
    await withShell({ shell }, async (_, run) => {
      await run("exec </dev/null");
      const outcome = await run("echo never").then(
        ({ output, exitCode, shellExit }) => ({ output, exitCode, shellExit: shellExit?.kind }),
        ({ code }: LimpetError) => code,
      );
      expect([{ output: "", exitCode: null, shellExit: "code" }, "SESSION_ENDED"]).toContainEqual(outcome);
    });
  });

  test("a nested shell waits at its own prompt, although it inherits our prompt", async () => {
    await withShell({ shell }, async (sh, run) => {
      await run("export PS1");
      expect(await run("sh -i")).toMatchObject({ isRunning: true, waitingFor: expect.stringMatching(/line|key/) });
      await sh.write("exit 5\n");
      expect(await sh.wait({ timeoutMs: 10_000 })).toMatchObject({ exitCode: 5 });
    });
  });
});

test("a prompt that a job prints while bash reads for its command does not end it", async () => {
  await withShell({ shell: "bash" }, async (sh, run) => {
    const go = join(temporaryDirectory(), "go");
    const job = `until [ -e ${go} ]; do sleep 0.05; done; printf %s "\${PS1@P}"; echo forged`;
    expect(await run(`(${job}) & read -p 'q? ' x; echo "[$x]"`)).toMatchObject({ waitingFor: "line" });
    await writeFile(go, "");
    await outputHas(sh.session, "forged");
    await sh.write("answer\n");
    expect((await sh.wait({ timeoutMs: 10_000 })).output).toContain("[answer]");
  });
});

test.each(["read x", "read -n 5 x"])("no input goes to a prompt hook that runs: %s", async (hook) => {
  await withShell({ shell: "bash" }, async (sh, run) => {
    await run(`PROMPT_COMMAND='echo asked >&2; ${hook}; unset PROMPT_COMMAND'`);
    expect(await codeOf(sh.run("echo never"))).toBe("SHELL_BUSY");
    await sh.write("12345\n");
    expect(told(await sh.run("echo later", { timeoutMs: 10_000 })).output).toBe("later\n");
  });
});
