/** A program that dies on its own screen leaves nothing behind: neither that screen, nor the form of its keys. */
import { describe, expect, test } from "vitest";
import { DEFAULT_MODES } from "../../../src/base/terminal-modes.ts";
import { screenOf, screenText } from "../../../src/entries/screen.ts";
import { openSession } from "../../../src/entries/session.ts";
import type { Session } from "../../../src/session/session.ts";
import { internalsOf } from "../../../src/session/session-internals.ts";
import { guardEveryCase } from "../../support/case-guard.ts";
import { skipTestWithout, skipWithout } from "../../support/needs.ts";
import { outputHas, until } from "../../support/sessions.ts";
import { SHELLS, withShell } from "../../support/shells.ts";

guardEveryCase();

/** Enters its screen, sets modes of keys, pastes and mouse, draws, and dies. */
const DIES = `sh -c 'printf "\\033[?1049h\\033[?1h\\033=\\033[?2004h\\033[?1000h\\033[?1006hDRAWN"; kill -KILL $$'`;
const PYTHON_DIES =
  "python3 -c 'import os,sys; sys.stdout.write(\"\\x1b[?1049h\\x1b[?1003hDRAWN\"); sys.stdout.flush(); os.kill(os.getpid(), 9)'";
/** Programs that really have a screen of their own, by the name that the kernel has for them. */
const FULL_SCREEN = [
  { need: "vim", name: "vi", command: "vim -u NONE -i NONE -n" },
  { need: "less", name: "less", command: "LESS= /usr/bin/less /etc/passwd" },
] as const;

const isAlternate = (session: Session) => internalsOf(session).modeTracker.isAlternateScreen;

async function shownText(session: Session): Promise<string> {
  return screenText(await screenOf(session).snapshot());
}

describe.each(SHELLS)("in %s", (shell) => {
  skipWithout(shell);

  test.each([
    ["sh", DIES],
    ["python3", PYTHON_DIES],
  ])("what is printed after %s died on its own screen is read and shown", async (need, command) => {
    skipTestWithout(need);
    await withShell({ shell }, async (sh, run) => {
      await run("echo before");
      expect((await run(command)).exitCode).toBe(137);
      expect(sh.session.keyModes).toEqual(DEFAULT_MODES);
      expect(await run("echo visible")).toEqual({ output: "visible\n", exitCode: 0 });
      expect((await sh.session.text()).text).toMatch(/before\n(.*\n)*visible\n$/);
      const text = await shownText(sh.session);
      expect(text).toContain("visible");
      expect(text).toContain("before");
      expect(text).not.toContain("DRAWN");
    });
  });

  test("the same command goes on after the program, on the main screen", async () => {
    await withShell({ shell }, async (sh, run) => {
      expect(await run(`${DIES}; read x; echo visible`)).toMatchObject({ waitingFor: "line" });
      await sh.write("\n");
      expect((await sh.wait({ timeoutMs: 10_000 })).output).toContain("visible\n");
    });
  });

  test.each(FULL_SCREEN)("a killed $need leaves the main screen, and keys in their usual form", async (program) => {
    skipTestWithout(program.need);
    await withShell({ shell }, async (sh, run) => {
      expect(await run(`${program.command}; echo after`)).toMatchObject({ waitingFor: "key" });
      expect(isAlternate(sh.session)).toBe(true);
      const found = (await sh.state()).jobs.find(({ name }) => name.startsWith(program.name));
      process.kill(found?.pid ?? 0, "SIGKILL");
      expect((await sh.wait({ timeoutMs: 10_000 })).output).toContain("after\n");
      expect(isAlternate(sh.session)).toBe(false);
      expect(sh.session.keyModes).toEqual(DEFAULT_MODES);
      expect(await run("echo alive")).toEqual({ output: "alive\n", exitCode: 0 });
      expect(await shownText(sh.session)).toContain("alive");
    });
  });
});

describe.each([
  ["bash", ["--norc", "--noprofile", "-i"]],
  ["zsh", ["-f", "-i"]],
  ["dash", ["-i"]],
  ["busybox", ["ash", "-i"]],
] as const)("in %s that is only a program", (shell, args) => {
  skipWithout(shell);

  test.each([
    ["sh", DIES],
    ["python3", PYTHON_DIES],
  ])("the output after %s died is back on the main screen", async (need, command) => {
    skipTestWithout(need);
    await using session = await openSession({ program: shell, args: [...args] });
    await session.wait({ deadlineMs: 10_000 });
    await session.write(`${command}\n`);
    await outputHas(session, "\x1b[?1049h");
    await until(() => !isAlternate(session), "its screen is left");
    await session.write("echo visible$((1+1))\n");
    await outputHas(session, "visible2");
    expect((await session.text()).text).toContain("visible2");
    expect(await shownText(session)).toContain("visible2");
  });
});

test("a program keeps its screen while it starts and ends others", async () => {
  const draws =
    "printf '\\033[?1049hONE'; sleep 0.2; printf TWO; sleep 0.2; printf THREE; read x; printf '\\033[?1049l'";
  await using session = await openSession({ program: "bash", args: ["-c", draws] });
  await session.wait({ deadlineMs: 10_000 });

  expect(isAlternate(session)).toBe(true);
  expect(await shownText(session)).toContain("ONETWOTHREE");
});
