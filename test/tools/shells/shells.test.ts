import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { SessionRegistry } from "../../../src/entries/session.ts";
import { LocalService } from "../../../src/service/local-service.ts";
import { type CommandRequest, runCommand } from "../../../src/service/turn/simple-turns.ts";
import { guardEveryCase } from "../../support/case-guard.ts";
import { codeOf, until } from "../../support/sessions.ts";
import { openTools } from "../../support/tools.ts";
import { temporaryDirectory } from "../../support/watching.ts";

guardEveryCase();

/** Without start files, which differ from machine to machine. */
function openShells(options: ConstructorParameters<typeof SessionRegistry>[0] = {}) {
  const registry = new SessionRegistry(options);
  const sessions = new LocalService(registry);
  const run = async (command: string, more: Partial<CommandRequest> = {}) =>
    await runCommand(sessions, {
      command,
      shell: "default",
      caller: "one",
      fresh: { startFiles: "none", shell: "/bin/bash" },
      ...more,
    });
  return { registry, sessions, run, [Symbol.asyncDispose]: () => registry.closeAll({ force: true }) };
}

async function typedByOthers(sessions: LocalService, key: number, caller: string): Promise<number> {
  return (await sessions.turn({ caller, on: { kind: "session", key } })).around.typedByOthers;
}

test("callers that name no shell have one each", async () => {
  await using shells = openShells();
  const mine = await shells.run("cd /usr; token=secret");

  const other = await shells.run("echo $token; pwd", { caller: "two", fresh: { startFiles: "none", cwd: "/" } });
  const again = await shells.run("echo $token; pwd");

  expect([mine.name, other.name]).toEqual(["default", "default-2"]);
  expect([other.output, again.output]).toEqual(["\n/\n", "secret\n/usr\n"]);
});

test.each([
  { shell: "bash", isTold: true },
  { shell: "/bin/bash", isTold: true },
  { shell: "bashful", isTold: false },
])("whoever may have meant a program by the shell $shell is told once: $isTold", async ({ shell, isTold }) => {
  await using tools = openTools();
  const note = `\nStarted a new shell named "${shell}"; omit shell to use the default one\n`;

  const first = await tools.call("run", { command: "true", shell });
  const second = await tools.call("run", { command: "true", shell });

  expect([first.text.includes(note), second.text.includes(note)]).toEqual([isTold, false]);
});

test("an answer names the directory at first, and then only if it is elsewhere or was", async () => {
  await using tools = openTools();
  const run = async (command: string, caller = "one") => {
    const { text } = await tools.call("run", { command, shell: "shared" }, { caller });
    return /^Directory: (.*)$/m.exec(text)?.[1];
  };

  const start = await run("true");

  expect(start).toMatch(/^\//);
  expect([await run("true"), await run("true", "two"), await run("true", "two")]).toEqual([
    undefined,
    start,
    undefined,
  ]);
  expect([await run("cd /"), await run("true"), await run("cd - >/dev/null")]).toEqual(["/", "/", start]);
  expect(await run("true")).toBeUndefined();
});

test("callers that name the same shell share it", async () => {
  await using shells = openShells();
  await shells.run("shared=yes", { shell: "build" });

  const other = await shells.run("echo $shared", { shell: "build", caller: "two" });

  expect(other.output).toBe("yes\n");
});

test("all that ask at once for a shell that is not there yet get the same one", async () => {
  await using shells = openShells();

  const answers = await Promise.all([1, 2, 3, 4, 5, 6].map((number) => shells.run(`echo ${number}`)));

  expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
  expect(answers.map(({ output }) => output)).toEqual(["1\n", "2\n", "3\n", "4\n", "5\n", "6\n"]);
});

test("a call that is cancelled while it queues leaves the command before it alone", async () => {
  await using shells = openShells();
  await shells.run("true");
  const go = join(temporaryDirectory(), "go");
  const before = shells.run(`until [ -e ${go} ]; do sleep 0.05; done; echo whole`, { timeoutMs: 60_000 });
  const stop = new AbortController();

  const queued = shells.run("echo never", { signal: stop.signal, timeoutMs: 300, caller: "one" });
  const cancelled = expect(queued).rejects.toThrow();
  await nextTurn();
  stop.abort();

  await cancelled;
  // Its time limit passes, too.
  await sleep(400);
  writeFileSync(go, "");
  expect(await before).toMatchObject({ output: "whole\n", exitCode: 0, timedOut: false });
  expect(await shells.run("echo usable")).toMatchObject({ output: "usable\n" });
});

test("nothing is run in a shell that a person holds", async () => {
  await using shells = openShells();
  const { id } = await shells.run("true");
  await shells.sessions.hold(id, { reason: "mine" });

  expect(await codeOf(shells.run("touch /nowhere"))).toBe("SESSION_HELD");
  await shells.sessions.release(id);
  expect(await shells.run("echo back")).toMatchObject({ output: "back\n" });
});

test("a command of one caller is told to the others who use the shell", async () => {
  await using shells = openShells();
  const { id } = await shells.run("true", { shell: "both" });
  await typedByOthers(shells.sessions, id, "two");

  await shells.run("echo", { shell: "both" });

  expect(await typedByOthers(shells.sessions, id, "two")).toBe(4);
  expect(await typedByOthers(shells.sessions, id, "one")).toBe(0);
});

test("a shell does not expire while it starts, however long that takes", async () => {
  await using shells = openShells({ idleMs: 2 });

  expect(await shells.run("echo started")).toMatchObject({ output: "started\n", exitCode: 0 });
});

test("a shell does not expire while a command runs, and whoever comes later is told that it did", async () => {
  await using shells = openShells({ idleMs: 300 });
  const long = await shells.run("kept=1; sleep 1; echo whole");
  await until(() => shells.registry.list().length === 0, "it has expired");

  const fresh = await shells.run('echo "kept=$kept"');

  expect(long).toMatchObject({ output: "whole\n", exitCode: 0, former: null });
  expect(fresh.output).toBe("kept=\n");
  expect(fresh.former).toMatchObject({ closed: { reason: "idle", idleMs: 300 } });
});

test("a shell that is ready for its next command keeps nobody waiting", async () => {
  await using tools = openTools();
  await tools.call("run", { command: "true" });
  const go = join(temporaryDirectory(), "go");
  const { structured: build } = await tools.call("exec_command", {
    cmd: `until [ -e ${go} ]; do sleep 0.05; done; echo built`,
    shell: "/bin/sh",
    login: false,
    yield_time_ms: 0,
  });
  writeFileSync(go, "");

  const { structured } = await tools.call("wait_for", { deadline_ms: 30_000 });
  const { text } = await tools.call("list_sessions");

  expect(structured).toMatchObject({ session_id: build["session_id"], yielded: "exited", output: "built\n" });
  expect(text).not.toContain("waiting for input");
});

test("a limit that is longer than the client can wait still ends the command", async () => {
  await using shells = openShells();
  const first = await shells.run("sleep 600; echo never", { timeoutMs: 5_000, waitMs: 2_500 });

  const isFree = () =>
    shells.run("true").then(
      () => true,
      () => false,
    );
  await until(isFree, "the command was ended");

  expect(first).toMatchObject({ isRunning: true, timedOut: false, exitCode: null });
  expect(await shells.run("echo usable")).toMatchObject({ output: "usable\n" });
});
