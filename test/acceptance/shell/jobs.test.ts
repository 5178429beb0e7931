/** What bash reports about jobs, and where its reports go. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { guardEveryCase } from "../../support/case-guard.ts";
import { until } from "../../support/sessions.ts";
import { untilAsleep, untilReads, withShell } from "../../support/shells.ts";
import { temporaryDirectory } from "../../support/watching.ts";

guardEveryCase();

type Run = Parameters<Parameters<typeof withShell>[1]>[1];
type Opened = Parameters<Parameters<typeof withShell>[1]>[0];

/** A job that ends while the shell waits for its next command. */
async function endJob(sh: Opened, run: Run, code: number): Promise<void> {
  const go = join(temporaryDirectory(), "go");
  await run(`(until [ -e ${go} ]; do sleep 0.05; done; exit ${code}) &`);
  // Before its prompt, bash would still report the job.
  await untilReads(sh);
  writeFileSync(go, "");
  await until(async () => (await sh.state()).jobs.length === 0, "the job has ended");
}

test("the report of a job that ended between two commands is in the output of neither", async () => {
  await withShell({ shell: "bash" }, async (sh, run) => {
    await endJob(sh, run, 3);
    const next = await run("/bin/true; echo next");
    expect(next).toMatchObject({ output: "next\n", exitCode: 0 });
    expect(next.backgroundOutput).toMatch(/^\[1\]\+ {2}Exit 3 /);
    expect(await run("/bin/true; echo last")).toEqual({ output: "last\n", exitCode: 0 });
  });
});

test("a command can list a job that ended before it, and wait for it", async () => {
  await withShell({ shell: "bash" }, async (sh, run) => {
    await endJob(sh, run, 3);
    expect((await run("jobs")).output).toMatch(/^\[1\]\+ {2}Exit 3 /);
    await endJob(sh, run, 4);
    expect(await run("wait %1; echo $?")).toMatchObject({ output: "4\n" });
    await endJob(sh, run, 5);
    expect(await run("/bin/true; wait $!; echo $?")).toMatchObject({ output: "5\n" });
  });
});

test("a job that runs is not reported before each command, and can be brought to the foreground", async () => {
  await withShell({ shell: "bash" }, async (sh, run) => {
    await run("sleep 1000 &");
    expect(await run("/bin/true; echo one")).toEqual({ output: "one\n", exitCode: 0 });
    expect((await run("jobs")).output).toMatch(/^\[1\]\+ {2}Running /);
    const waiting = run("fg %1");
    await untilAsleep(sh);
    await sh.interrupt();
    expect(await waiting).toMatchObject({ exitCode: 130 });
    expect(await run("jobs; echo none")).toMatchObject({ output: "none\n" });
  });
});

test("a shell that stops at errors and cannot list jobs goes on", async () => {
  await withShell({ shell: "bash" }, async (sh, run) => {
    await run("enable -n jobs; set -eE; trap 'echo trapped' ERR");
    await endJob(sh, run, 3);
    expect(await run("echo alive")).toMatchObject({ output: "alive\n", exitCode: 0 });
    expect(await run("echo alive")).toMatchObject({ output: "alive\n", exitCode: 0 });
  });
});
