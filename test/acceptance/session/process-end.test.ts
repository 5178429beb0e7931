import { expect, test } from "vitest";
import { groupRoots, guardEveryCase } from "../../support/case-guard.ts";
import { needs } from "../../support/needs.ts";
import { pidsWith, startScript, uniqueSeconds } from "../../support/processes.ts";
import { isLong, until } from "../../support/sessions.ts";

guardEveryCase();

const SESSIONS = 20;
/** The three orphans of the first session come on top. */
const SLEEPERS = SESSIONS + 3;

async function holdSessions(how: string, seconds: string) {
  const script = startScript("holds-sessions.mjs", [how, seconds, String(SESSIONS)]);
  const { pid } = await script.next();
  return { script, pid: Number(pid) };
}

function rootsOf(pid: number): string[] {
  return groupRoots().filter((path) => path.includes(`-${pid}-`));
}

test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("%s leaves nothing of twenty sessions running", async (signal) => {
  const seconds = uniqueSeconds();
  const { script, pid } = await holdSessions("signal", seconds);
  await until(() => pidsWith(`sleep\0${seconds}`).length === SLEEPERS, "all sleepers run");
  expect(rootsOf(pid)).toHaveLength(rootsOf(process.pid).length);

  script.child.kill(signal);

  expect(await script.ended).toEqual({ code: null, signal, errors: "" });
  await until(() => pidsWith(`sleep\0${seconds}`).length === 0, "nothing is left running");
  await until(() => rootsOf(pid).length === 0, "its directory is gone");
});

test.each([
  { how: "exit", code: 3, says: "" },
  { how: "throw", code: 1, says: "nobody catches this" },
  { how: "reject", code: 1, says: "nobody catches this either" },
])("the end of a process by $how leaves nothing of twenty sessions running", async ({ how, code, says }) => {
  const seconds = uniqueSeconds();
  const { script, pid } = await holdSessions(how, seconds);

  const ended = await script.ended;

  expect({ code: ended.code, signal: ended.signal }).toEqual({ code, signal: null });
  expect(ended.errors).toContain(says);
  await until(() => pidsWith(`sleep\0${seconds}`).length === 0, "nothing is left running");
  await until(() => rootsOf(pid).length === 0, "its directory is gone");
});

test("a signal for which the application has a listener is the application's", async () => {
  const seconds = uniqueSeconds();
  const { script } = await holdSessions("own-listener", seconds);

  script.child.kill("SIGTERM");

  expect(await script.ended).toEqual({ code: 0, signal: null, errors: "" });
  await until(() => pidsWith(`sleep\0${seconds}`).length === 0, "nothing is left running");
});

test("a second copy of the library in the process does not make it deaf to a signal", async () => {
  const seconds = uniqueSeconds();
  const { script } = await holdSessions("two-copies", seconds);

  script.child.kill("SIGTERM");

  expect(await script.ended).toEqual({ code: null, signal: "SIGTERM", errors: "" });
  await until(() => pidsWith(`sleep\0${seconds}`).length === 0, "nothing is left running");
});

test.skipIf(!needs("cgroups"))(
  "what a killed process left behind is ended when the next one opens a session",
  async () => {
    for (let round = 0; round < (isLong ? 10 : 2); round += 1) {
      const seconds = uniqueSeconds();
      const { script, pid } = await holdSessions("signal", seconds);
      await until(() => pidsWith(`sleep\0${seconds}`).length === SLEEPERS, "all sleepers run");

      script.child.kill("SIGKILL");
      await script.ended;
      const next = startScript("opens-one.mjs", []);

      expect(await next.next()).toEqual({ ok: true });
      expect(await next.ended).toEqual({ code: 0, signal: null, errors: "" });
      await until(() => pidsWith(`sleep\0${seconds}`).length === 0, "nothing is left running");
      await until(() => rootsOf(pid).length === 0, "its directory is gone");
    }
  },
);

test("the sessions of a living process are left alone by the next one", async () => {
  const seconds = uniqueSeconds();
  const { script, pid } = await holdSessions("signal", seconds);
  await until(() => pidsWith(`sleep\0${seconds}`).length === SLEEPERS, "all sleepers run");

  const next = startScript("opens-one.mjs", []);
  await next.ended;

  expect(pidsWith(`sleep\0${seconds}`)).toHaveLength(SLEEPERS);
  script.child.kill("SIGTERM");
  await script.ended;
  await until(() => rootsOf(pid).length === 0, "its directory is gone");
});

test("a process stays until the exit that it waits for, though the program has closed its output", async () => {
  const script = startScript("waits/waits-for-a-silent-program.mjs", []);

  expect(await script.next()).toEqual({ exit: { kind: "code", code: 6 } });
  expect(await script.ended).toEqual({ code: 0, signal: null, errors: "" });
});
