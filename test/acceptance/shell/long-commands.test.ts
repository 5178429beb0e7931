/** Commands that take long: their time limit, a second command meanwhile, and a caller that stops waiting. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { guardEveryCase } from "../../support/case-guard.ts";
import { skipTestWithout } from "../../support/needs.ts";
import { codeOf, outputHas, until } from "../../support/sessions.ts";
import { inEveryShell, told } from "../../support/shells.ts";
import { temporaryDirectory } from "../../support/watching.ts";

guardEveryCase();

const printed = (output: string, exitCode = 0) => ({ output, exitCode });
const alive = printed("alive\n");

test.each([
  "echo started; sleep 100",
  "echo started; while :; do :; done",
  "echo started; while :; do sleep 100; done",
  "echo started; while :; do true | cat; done",
  "echo started; cat </dev/zero >/dev/null",
  "sh -c 'trap \"\" INT; echo started; sleep 100; echo late'",
  "sh -c 'trap \"\" INT TERM; echo started; while :; do sleep 1; done'",
  "python3 -c 'import tty,time; tty.setraw(0); print(\"started\", flush=True); time.sleep(100)'",
])("the time limit of %j leaves a shell that can be used", async (command) => {
  skipTestWithout(command.split(" ", 1)[0] ?? "");
  await inEveryShell(async (sh, run) => {
    await run("kept=yes");
    const running = run(command);
    await outputHas(sh.session, "started");
    const result = told(await sh.wait({ timeoutMs: 1 }));
    await running;
    expect(result).toMatchObject({ timedOut: true });
    expect(result.output).toContain("started\n");
    expect(result.shellExit).toBeUndefined();
    await run("stty sane");
    expect(await run("echo $kept")).toEqual(printed("yes\n"));
  });
});

test("a time limit spares jobs that were there before, and ends what the command started", async () => {
  await inEveryShell(async (sh, run) => {
    await run("sleep 1000 &");
    const sleepers = "sleep 1001 & setsid sleep 1002 & echo started; sleep 1003; wait";
    const running = run(`sh -c 'trap "" INT TERM; ${sleepers}'`);
    await outputHas(sh.session, "started");
    await sh.wait({ timeoutMs: 1 });
    await running;
    await until(async () => (await sh.state()).jobs.length === 1, "only the earlier job is left");
    // A shell may tell of what was killed before its next command.
    expect(await run("echo alive")).toMatchObject(alive);
  });
});

test("a second command waits for the first, or is refused while the first waits for input", async () => {
  await inEveryShell(async (sh) => {
    const first = sh.run("sleep 0.3; echo first");
    const second = sh.run("echo second");
    expect(await codeOf(sh.run("echo third", { onBusy: "refuse" }))).toBe("SHELL_BUSY");
    expect((await Promise.all([first, second])).map(({ output }) => output)).toEqual(["first\n", "second\n"]);
  });
});

test("a signal ends the waiting, not the command", async () => {
  await inEveryShell(async (sh, run) => {
    const stop = new AbortController();
    const go = join(temporaryDirectory(), "go");
    const command = `echo started; until [ -e ${go} ]; do sleep 0.05; done; kept=yes; echo done`;
    const waiting = sh.run(command, { signal: stop.signal });
    const rejected = expect(waiting).rejects.toThrow("enough");
    await outputHas(sh.session, "started");
    stop.abort(new Error("enough"));
    await rejected;
    await writeFile(go, "");
    expect((await sh.wait({ timeoutMs: 10_000 })).output).toBe("started\ndone\n");
    expect(await run("echo $kept")).toEqual(printed("yes\n"));
  });
});
