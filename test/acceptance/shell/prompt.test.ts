/** What someone typed into a shell, and commands that arrive while it runs. */

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Shell } from "../../../src/entries/shell.ts";
import { parseSyscall } from "../../../src/linux/parse-syscall.ts";
import { guardEveryCase } from "../../support/case-guard.ts";
import { skipWithout } from "../../support/needs.ts";
import { codeOf, outputHas, until } from "../../support/sessions.ts";
import { inEveryShell, SHELLS, told, untilAsleep, withShell } from "../../support/shells.ts";

guardEveryCase();

const printed = (output: string, exitCode = 0) => ({ output, exitCode });
const alive = printed("alive\n");

/** The call in which a shell reads, with the place that it reads into; undefined while it does something else. */
function readingAt({ session }: Shell): string | undefined {
  const line = readFileSync(`/proc/${session.pid}/syscall`, "utf8");
  return parseSyscall(line, process.arch) ? line.split(" ", 4).join(" ") : undefined;
}

describe.each(SHELLS)("in %s", (shell) => {
  skipWithout(shell);

  test("no command goes to a read that someone typed into the shell", async () => {
    await withShell({ shell }, async (sh, run) => {
      await run("true");
      await until(() => readingAt(sh) !== undefined, "it reads at its prompt");
      const prompt = readingAt(sh);
      await sh.session.write("read typed\n");
      await until(() => ![undefined, prompt].includes(readingAt(sh)), "it reads elsewhere");
      expect(await codeOf(sh.run("echo X"))).toBe("SHELL_BUSY");
      await sh.session.write("word\n");
      expect(await run('echo "[$typed]"')).toMatchObject(printed("[word]\n"));
    });
  });

  test("a prompt that someone set is recognised as a prompt", async () => {
    await withShell({ shell }, async (sh, run) => {
      await run("true");
      await sh.session.write("PS1='other> '\n");
      expect(await run("echo alive")).toMatchObject(alive);
    });
  });

  test("a command with another prompt can be interrupted", async () => {
    await withShell({ shell }, async (sh, run) => {
      const waiting = run("PS1='other> '; echo started; sleep 100");
      await untilAsleep(sh);
      await sh.interrupt();
      expect(await waiting).toMatchObject({ exitCode: 130 });
      expect(await run("echo alive")).toMatchObject(alive);
    });
  });

  test("a read that continues after Ctrl+C gets what is typed, and none of our text", async () => {
    await withShell({ shell }, async (sh, run) => {
      expect(await run("trap 'echo INT' INT; read x; echo \"[$x]\"")).toMatchObject({ waitingFor: "line" });
      await sh.interrupt();
      await outputHas(sh.session, "INT");
      // In some shells it does not go on: then the command has ended.
      const asked = told(await sh.wait({ timeoutMs: 10_000 }));
      if (asked.isRunning) await sh.write("word\n");
      const { output, shellExit } = await sh.wait({ timeoutMs: 10_000 });
      expect({ output, shellExit }).toEqual({
        output: expect.stringMatching(/INT\n(word\n)?\[(word)?\]\n$/),
        shellExit: null,
      });
      expect(output).not.toContain("6973");
      expect(await run("echo alive")).toMatchObject(alive);
    });
  });
});

test("a command waits for the end of what was typed, and has its own output and exit code", async () => {
  await inEveryShell(async (sh, run) => {
    await run("true");
    await sh.session.write("sleep 0.8; echo long\n");
    const result = await run("echo X; (exit 7)");
    expect(result).toMatchObject(printed("X\n", 7));
    expect(result.backgroundOutput).toContain("long\n");
  });
});

test("a queued call is refused at its limit, or if the running command waits for input", async () => {
  await inEveryShell(async (sh, run) => {
    const first = run("sleep 1; cat; echo first");
    expect(await codeOf(sh.run("echo late", { deadlineMs: 50 }))).toBe("SHELL_BUSY");
    expect(await codeOf(sh.run("echo late", { timeoutMs: 50 }))).toBe("SHELL_BUSY");
    const queued = codeOf(sh.run("echo queued"));
    expect(await first).toMatchObject({ waitingFor: "line" });
    expect(await queued).toBe("SHELL_BUSY");
    expect(await codeOf(sh.run("echo more"))).toBe("SHELL_BUSY");
    await sh.write("\x04");
    expect(await run("echo alive")).toMatchObject(alive);
    expect((await sh.session.readText()).text).toBe("first\nalive\n".replaceAll("\n", "\r\n"));
  });
});

test("what a job prints between a command and the prompt is kept", async () => {
  await inEveryShell(async (sh, run) => {
    await run("PROMPT_COMMAND='sleep 0.3'; precmd() { sleep 0.3; }");
    const job = "(for i in 1 2 3 4 5 6 7 8 9 10; do echo bg$i; sleep 0.05; done; echo over) & :";
    const { output } = await run(job);
    await outputHas(sh.session, "over");
    const { backgroundOutput = "" } = await run("echo next");
    const lines = `${output}${backgroundOutput}`.split("\n").filter((line) => /^bg\d+$/.test(line));
    expect(lines).toEqual(Array.from({ length: 10 }, (_, index) => `bg${index + 1}`));
  });
});

test("the wait for what was typed ends with the time limit", async () => {
  await inEveryShell(async (sh, run) => {
    await run("true");
    await sh.session.write("sleep 100\n");
    await untilAsleep(sh);
    expect(await codeOf(sh.run("echo X", { deadlineMs: 300 }))).toBe("SHELL_BUSY");
    expect(await codeOf(sh.run("echo X", { onBusy: "refuse" }))).toBe("SHELL_BUSY");
    const stop = new AbortController();
    const stopped = sh.run("echo X", { signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(stopped).rejects.toThrow("enough");
    await sh.interrupt();
    expect(await run("echo alive")).toMatchObject(alive);
  });
});

test("no command goes to a program that someone started by typing", async () => {
  await inEveryShell(async (sh, run) => {
    await run("true");
    await sh.session.write("cat\n");
    await until(async () => (await sh.state()).jobs.some(({ name }) => name === "cat"), "cat runs");
    const busy = sh.run("echo secret", { timeoutMs: 10_000 });
    await expect(busy).rejects.toMatchObject({
      code: "SHELL_BUSY",
      message: expect.stringContaining(`session ${sh.session.id}`),
    });
    await sh.session.write("seen\n");
    await outputHas(sh.session, "seen");
    expect((await sh.session.readText()).text).not.toMatch(/6973|eval|secret/);
    await sh.interrupt();
    await until(async () => (await sh.state()).jobs.length === 0, "cat has ended");
    expect(await run("echo alive")).toMatchObject(alive);
  });
});

test("what hooks print is dropped where there are no jobs", async () => {
  await withShell({ shell: "bash" }, async (_shell, run) => {
    await run("PROMPT_COMMAND='echo noise'");
    expect(await run("echo one")).toEqual(printed("one\n"));
    expect(await run("echo two")).toEqual(printed("two\n"));
  });
});
