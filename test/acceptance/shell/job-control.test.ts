/** Programs that keep the terminal, leave it in another mode or are suspended, within a command. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { guardEveryCase } from "../../support/case-guard.ts";
import { skipTestWithout, skipWithout } from "../../support/needs.ts";
import { outputHas, until } from "../../support/sessions.ts";
import { SHELLS, told, withShell } from "../../support/shells.ts";
import { temporaryDirectory, testProgram } from "../../support/watching.ts";

guardEveryCase();

const printed = (output: string, exitCode = 0) => ({ output, exitCode });
const alive = printed("alive\n");
/** What a terminal has that nobody has touched, as far as the shell depends on it. */
const SANE = "stty -a | tr ' ;' '\\n\\n' | grep -x -e echo -e icanon -e isig -e opost | sort | tr '\\n' ' '";
const sane = printed("echo icanon isig opost ");

describe.each(SHELLS)("in %s", (shell) => {
  skipWithout(shell);

  test("a raw program gets each key unchanged, and restores the terminal", async () => {
    skipTestWithout("python3");
    await withShell({ shell }, async (sh, run) => {
      const command = `python3 ${testProgram("talks-raw.py")}; echo "over $?"`;
      expect(await run(command)).toMatchObject({ output: "connected\n", waitingFor: "key" });
      await sh.write("a\x03\x04\r\x1a");
      await outputHas(sh.session, "<61><03><04><0d><1a>");
      await sh.write("q");
      expect(told(await sh.wait({ timeoutMs: 10_000 }))).toEqual(
        printed("connected\n<61><03><04><0d><1a>\nclosed\nover 0\n"),
      );
      expect(await run(SANE)).toEqual(sane);
    });
  });

  test("a raw program that dies in that mode does not take the shell with it", async () => {
    skipTestWithout("python3");
    await withShell({ shell }, async (sh, run) => {
      expect(await run(`python3 ${testProgram("talks-raw.py")}`)).toMatchObject({ waitingFor: "key" });
      await sh.write("Q");
      expect(await sh.wait({ timeoutMs: 10_000 })).toMatchObject({ exitCode: 137, signal: "SIGKILL" });
      expect((await run("echo one; echo two")).output.replaceAll(/[\r ]/g, "")).toBe("one\ntwo\n");
      await run("stty sane");
      expect(await run(SANE)).toEqual(sane);
      expect(await run("read line", { stdin: "x\n" })).toEqual(printed(""));
    });
  });

  test("output of a daemon that kept the terminal does not belong to the next command", async () => {
    await withShell({ shell }, async (sh, run) => {
      const daemon = "sh -c 'echo $$ >&3; while :; do echo tick; sleep 0.05; done' </dev/tty 3>&1";
      const { output } = await run(`(setsid ${daemon} >/dev/tty &) | head -n 1`);
      const { endCursor } = sh.session;
      await until(() => sh.session.endCursor > endCursor, "it prints on");
      const next = await run("echo next; (exit 3)");
      expect(next.exitCode).toBe(3);
      expect(next.output.replaceAll("tick\n", "")).toBe("next\n");
      expect(next.backgroundOutput).toMatch(/^(tick\n)+$/);
      await run(`kill ${output.replaceAll("tick\n", "").trim()}`);
      await until(async () => (await sh.state()).jobs.length === 0, "the daemon is gone");
      await run("true");
      expect(await run("echo alive")).toEqual(alive);
    });
  });

  test("a background fork that reads the terminal gets nothing of the next command", async () => {
    await withShell({ shell }, async (sh, run) => {
      await run("cat </dev/tty >/dev/null &");
      await until(async () => (await sh.state()).jobs.some(({ name }) => name === "cat"), "cat runs");
      // That a job was stopped is told by zsh as soon as it knows, be it within the next command.
      const stopped = /^\[\d+\] .*suspended \(tty input\).*\n/m;
      for (const word of ["one", "two"]) {
        expect((await run(`echo ${word}`)).output.replace(stopped, "")).toBe(`${word}\n`);
      }
    });
  });

  test("jobs are suspended, listed, resumed and ended", async () => {
    await withShell({ shell }, async (sh, run) => {
      expect(await run("cat; echo after")).toMatchObject({ waitingFor: "line" });
      await sh.write("\x1a");
      await sh.wait({ timeoutMs: 10_000 });
      expect(await run("cat >/dev/null")).toMatchObject({ waitingFor: "line" });
      await sh.write("\x1a");
      await sh.wait({ timeoutMs: 10_000 });
      // zsh may tell within this command, too, that a job was stopped.
      const stopped = (await run("jobs")).output.match(/^\[\d+\](?=.*(?:stopped|suspended))/gim);
      expect(new Set(stopped).size).toBe(2);
      expect(await run("fg %1")).toMatchObject({ waitingFor: "line" });
      await sh.write("\x04");
      expect(told(await sh.wait({ timeoutMs: 10_000 }))).toMatchObject({ exitCode: 0 });
      await run("kill -KILL %%; wait");
      await until(async () => (await sh.state()).jobs.length === 0, "both are gone");
      await until(async () => (await run("jobs")).output === "", "their end was told");
      expect(await run("echo alive")).toEqual(alive);
    });
  });
});

describe.each(SHELLS.filter((shell) => shell !== "busybox"))("in %s", (shell) => {
  skipWithout(shell);

  // Not in ash: there it is the line that it waits for at the end of each command which is taken.
  test("a command that another program has read is typed again", async () => {
    await withShell({ shell }, async (sh, run) => {
      // It starts to read while it may, and the kernel lets it go on when it may no longer.
      const go = join(temporaryDirectory(), "go");
      const reads = `(cat </dev/tty >/dev/null & until [ -e ${go} ]; do sleep 0.05; done)`;
      expect(await run(reads)).toMatchObject({ waitingFor: "line" });
      await writeFile(go, "");
      await until(async () => !(await sh.wait({ deadlineMs: 50 })).isRunning, "the command is over");
      const { output, exitCode } = await run("echo run");
      expect({ output: output.replace("cat: -: Input/output error\n", ""), exitCode }).toEqual(printed("run\n"));
      await until(async () => (await sh.state()).jobs.length === 0, "cat was refused its next line");
      expect((await run("echo alive")).output).toBe("alive\n");
      expect((await sh.session.readText()).text).not.toMatch(/6973/);
    });
  });
});
