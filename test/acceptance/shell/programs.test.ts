import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { guardEveryCase } from "../../support/case-guard.ts";
import { skipTestWithout, skipWithout } from "../../support/needs.ts";
import { exitBy, isBehindEngine } from "../../support/places/is-at-place.ts";
import { codeOf, outputHas } from "../../support/sessions.ts";
import { inEveryShell, SHELLS, told, untilAsleep, withShell } from "../../support/shells.ts";
import { temporaryDirectory } from "../../support/watching.ts";

guardEveryCase();

const printed = (output: string, exitCode = 0) => ({ output, exitCode });
const alive = printed("alive\n");

/** Seconds where nothing else runs. */
const FLOOD_MS = 150_000;

/** A shell that was killed. */
const KILLED = { shellExit: exitBy("SIGKILL"), exitCode: isBehindEngine() ? 137 : null };

describe.each(SHELLS)("in %s", (shell) => {
  skipWithout(shell);

  test("a program that waits for input gets its answer, and its result arrives", async () => {
    await withShell({ shell }, async (sh, run) => {
      const asked = await run("printf 'name? '; head -n 1 | cat; echo done; (exit 5)");
      expect(asked).toMatchObject({ exitCode: null, isRunning: true, waitingFor: "line", output: "name? " });
      await sh.write("Ada\n");
      const result = told(await sh.wait({ timeoutMs: 10_000 }));
      expect(result).toEqual(printed("name? Ada\nAda\ndone\n", 5));
      expect(await run("echo alive")).toEqual(alive);
    });
  });

  test("the shell's own read gets a line, also from /dev/tty", async () => {
    await withShell({ shell }, async (sh, run) => {
      expect(await run('read line </dev/tty; echo "[$line]"')).toMatchObject({ isRunning: true });
      await sh.write("one two\n");
      expect((await sh.wait({ timeoutMs: 10_000 })).output).toContain("[one two]\n");
      expect(await run("echo alive")).toEqual(alive);
    });
  });

  test.each([
    ["vim -u NONE -i NONE -n", ":q!\r"],
    ["less /etc/services", "q"],
  ])("%s is opened and quit within a command", async (program, keys) => {
    skipTestWithout(program.split(" ", 1)[0] ?? "");
    await withShell({ shell }, async (sh, run) => {
      expect(await run(`${program}; echo after`)).toMatchObject({ isRunning: true, waitingFor: "key" });
      await sh.write(keys);
      const result = await sh.wait({ timeoutMs: 10_000 });
      expect({ exitCode: result.exitCode, isRunning: result.isRunning }).toEqual({ exitCode: 0, isRunning: false });
      expect(await run("echo alive")).toEqual(alive);
    });
  });

  test("stdin is a text, or nothing", async () => {
    await withShell({ shell }, async (_shell, run) => {
      expect(await run("cat; echo end", { stdin: "one\ntwo" })).toEqual(printed("one\ntwoend\n"));
      expect(await run("cat; echo end", { stdin: null })).toEqual(printed("end\n"));
      expect(await run('read line; echo "[$line]"', { stdin: "one\n" })).toEqual(printed("[one]\n"));
    });
  });

  test("stderr is separated on request", async () => {
    await withShell({ shell }, async (sh) => {
      const result = await sh.run("echo out; echo err >&2; (exit 3)", { splitStderr: true });
      const { stdout, stderr, exitCode } = result;
      expect({ stdout, stderr, exitCode }).toEqual({ stdout: "out\n", stderr: "err\n", exitCode: 3 });
      const missing = await sh.run("cat /missing", { splitStderr: true });
      expect({ stdout: missing.stdout, err: missing.stderr.includes("/missing") }).toEqual({ stdout: "", err: true });
    });
  });

  test.each([
    ["exit 3", { shellExit: { kind: "code", code: 3 }, exitCode: 3 }],
    ["exec true", { shellExit: { kind: "code", code: 0 }, exitCode: 0 }],
    ["kill -9 $$", KILLED],
    ["set -e; false", { shellExit: { kind: "code", code: 1 }, exitCode: 1 }],
  ])("%j ends the shell, and the result says so at once", async (command, expected) => {
    await withShell({ shell }, async (sh, run) => {
      expect(await run(`echo last; ${command}`)).toMatchObject(expected);
      expect(await codeOf(sh.run("echo more"))).toBe("SESSION_ENDED");
      expect((await sh.state()).isGone).toBe(true);
    });
  });

  test("Ctrl+Z suspends a program, fg brings it back", async () => {
    await withShell({ shell }, async (sh, run) => {
      expect(await run("cat")).toMatchObject({ waitingFor: "line" });
      await sh.write("\x1a");
      const stopped = await sh.wait({ timeoutMs: 10_000 });
      expect({ isRunning: stopped.isRunning, isStopped: (stopped.exitCode ?? 0) > 128 }).toEqual({
        isRunning: false,
        isStopped: true,
      });
      expect(await run("echo alive")).toMatchObject(alive);
      expect(await run("fg")).toMatchObject({ isRunning: true });
      await sh.write("back\n");
      await outputHas(sh.session, "back\r\nback\r\n");
      await sh.write("\x04");
      expect(await sh.wait({ timeoutMs: 10_000 })).toMatchObject({ exitCode: 0, isRunning: false });
      expect(await run("echo alive")).toEqual(alive);
    });
  });

  test("Ctrl+C by a caller ends the command with 130", async () => {
    await withShell({ shell }, async (sh, run) => {
      // More than once: whether the prompt or our look at the shell comes first is a matter of luck.
      for (let round = 0; round < 10; round += 1) {
        const waiting = run("echo started; sleep 100; echo never");
        await untilAsleep(sh);
        await sh.interrupt();
        expect(await waiting).toMatchObject({ exitCode: 130, output: expect.stringMatching(/^started\n+$/) });
        expect(await run("echo alive")).toEqual(alive);
      }
    });
  });

  test("a wait on the session ends when a command has finished", async () => {
    await withShell({ shell, cwd: "/" }, async (sh) => {
      await sh.run("cat >/dev/null; cd /usr; (exit 4)");
      await sh.write("\x04");
      const yielded = await sh.session.wait({ deadlineMs: 10_000 });
      expect(yielded).toMatchObject({ reason: "finished", exitCode: 4, cwd: "/usr" });
    });
  });

  test(
    "60 MB on both streams are read, and the shell keeps working",
    async () => {
      await withShell({ shell }, async (sh, run) => {
        const flood =
          "head -c 30000000 /dev/zero | tr '\\0' x; head -c 30000000 /dev/zero | tr '\\0' y >&2; echo; echo end";
        const result = await sh.run(flood, { timeoutMs: FLOOD_MS });
        expect(result).toMatchObject({ exitCode: 0, truncated: true, timedOut: false });
        expect(result.output.endsWith("end\n")).toBe(true);
        expect(await run("echo alive")).toEqual(alive);
      });
    },
    FLOOD_MS + 30_000,
  );
});

test("a password prompt is recognised, and its input is not shown", async () => {
  skipTestWithout("python3");
  await inEveryShell(async (sh, run) => {
    const asks = "python3 -c 'import getpass; print(len(getpass.getpass()))'";
    expect(await run(asks)).toMatchObject({ waitingFor: "password" });
    await sh.write("secret\n");
    expect(told(await sh.wait({ timeoutMs: 10_000 }))).toEqual(printed("Password: \n6\n"));
  });
});

test("a background job does not delay its command, and its later output belongs to no command", async () => {
  await inEveryShell(async (sh, run) => {
    const go = join(temporaryDirectory(), "go");
    const result = await run(`(until [ -e ${go} ]; do sleep 0.05; done; echo late) & true`);
    expect(result.exitCode).toBe(0);
    await writeFile(go, "");
    await outputHas(sh.session, "late\r\n");
    const next = await run("echo next");
    expect(next.output).toBe("next\n");
    expect(next.backgroundOutput).toContain("late\n");
  });
});

describe("with the user's start files", () => {
  const cases = [
    [
      "bash",
      ".bash_profile",
      'PROMPT_COMMAND=\'PS1="$(seq 50)> "; echo noise\'\nset -o vi\nalias ls="echo aliased"\necho motd\n',
    ],
    [
      "zsh",
      ".zshrc",
      'precmd() { echo noise; PS1="fancy> " }\nsetopt promptsubst\nalias ls="echo aliased"\necho motd\n',
    ],
    ["dash", ".profile", 'PS1="fancy> "\nalias ls="echo aliased"\necho motd\n'],
    ["busybox", ".profile", 'PS1="fancy> "\nalias ls="echo aliased"\necho motd\n'],
  ] as const;

  test.each(cases)("%s keeps its aliases and hooks, and framing survives", async (shell, file, text) => {
    const home = await mkdtemp(join(tmpdir(), "shell-home-"));
    try {
      await writeFile(join(home, file), text);
      await withShell({ shell, startFiles: "login", env: { HOME: home, ZDOTDIR: home } }, async (sh, run) => {
        expect(await run("ls x")).toEqual(printed("aliased x\n"));
        expect(await run("echo one; false")).toEqual(printed("one\n", 1));
        const waiting = run("echo started; sleep 100");
        await untilAsleep(sh);
        await sh.interrupt();
        expect(await waiting).toMatchObject({ exitCode: 130 });
        expect(await run("echo alive")).toMatchObject({ output: "alive\n", exitCode: 0 });
      });
    } finally {
      await rm(home, { recursive: true });
    }
  });

  test("a shell that cannot be prepared says so, and how", async () => {
    skipTestWithout("fish");
    const { openShell } = await import("../../../src/entries/shell.ts");
    expect(await codeOf(openShell({ shell: "fish" }))).toBe("SHELL_UNKNOWN");
  });
});
