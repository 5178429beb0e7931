/** Freezing stops everything in a session, and nothing stays frozen for ever. */
import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { openSession, type Session } from "../../../src/entries/session.ts";
import { ProcessTree } from "../../../src/linux/processes/process-tree.ts";
import { readProcess } from "../../../src/linux/processes/processes.ts";
import { internalsOf } from "../../../src/session/session-internals.ts";
import { Freezer } from "../../../src/transport/local/freezer.ts";
import { endProcess } from "../../support/host/end-hosts.ts";
import { hostAt, hostDirectory, isGone, pidOf } from "../../support/host/host.ts";
import { outputHas, until } from "../../support/sessions.ts";
import { openTools } from "../../support/tools.ts";

/** Prints without a pause, from a grandchild. */
const COUNTING = "sh -c 'i=0; while :; do i=$((i+1)); echo $i; sleep 0.01; done' & wait";

async function counting(): Promise<Session> {
  const session = await openSession({ command: COUNTING, shell: "/bin/sh" });
  onTestFinished(async () => void (await session.discard({ force: true })));
  await outputHas(session, "3");
  return session;
}

function lifetimeOf(session: Session) {
  return internalsOf(session).lifetime;
}

/** Resolves when nothing has been printed for a while. */
async function isSilent(session: Session): Promise<boolean> {
  const before = session.endCursor;
  await sleep(150);
  return session.endCursor === before;
}

test("a frozen session does nothing, and goes on where it was", async () => {
  const session = await counting();

  expect(["cgroup", "signals"]).toContain(await lifetimeOf(session).freeze());
  await until(() => isSilent(session), "nothing is printed");
  expect(session.frozen).toBeDefined();
  const at = session.endCursor;
  expect(await lifetimeOf(session).thaw()).toBe(true);
  await until(() => session.endCursor > at, "it prints again");
  expect(await lifetimeOf(session).thaw()).toBe(false);
});

test("without a control group, every process is stopped by a signal, and only those continue", async () => {
  const session = await openSession({
    command: `sleep 1000 & kill -STOP $!; echo stopped $!; ${COUNTING}`,
    shell: "/bin/sh",
  });
  onTestFinished(async () => void (await session.discard({ force: true })));
  await outputHas(session, "5");
  const [, stopped] = /stopped (\d+)/.exec((await session.readText({ from: 0 })).text) ?? [];
  await until(() => readProcess(Number(stopped))?.state === "T", "the shell has stopped its child");
  const freezer = new Freezer(new ProcessTree({ pid: session.pid ?? 0 }));

  expect(await freezer.freeze()).toBe("signals");
  await until(() => isSilent(session), "nothing is printed");
  const at = session.endCursor;
  freezer.thaw();
  await until(() => session.endCursor > at, "it prints again");

  expect(readProcess(Number(stopped))?.state).toBe("T");
});

test("a frozen session is closed at once, with its grace time", async () => {
  const session = await openSession({
    command: "trap 'echo bye; exit 7' HUP; echo ready; while :; do sleep 0.05; done",
    shell: "/bin/sh",
  });
  onTestFinished(async () => void (await session.discard({ force: true })));
  await outputHas(session, "ready");
  await lifetimeOf(session).freeze();
  const report = await session.close({ graceMs: 30_000 });

  expect(report.left).toEqual([]);
  expect((await session.readText({ from: 0 })).text).toContain("bye");
  expect(session.frozen).toBeUndefined();
});

test("agents cannot type into a frozen session, are told so, and lists show it", async () => {
  await using tools = openTools();
  const { structured } = await tools.call("exec_command", { cmd: "cat", yield_time_ms: 2_000 });
  const id = structured["session_id"];
  await tools.sessions.freeze(id);

  expect(await tools.refusal("write_stdin", { session_id: id, chars: "x\n" })).toMatch(/^SESSION_FROZEN: /);
  const waited = await tools.call("wait_for", { session_ids: [id], timeout_ms: 300 });
  expect(waited.text).toContain("Frozen by a person");
  expect((await tools.call("list_sessions")).text).toContain("frozen by a person");
  expect(await tools.sessions.thaw(id)).toBe(true);
  expect((await tools.call("write_stdin", { session_id: id, chars: "x\n" })).text).toContain("x");
});

test("events report what was frozen and thawed", async () => {
  await using tools = openTools();
  const { structured } = await tools.call("exec_command", { cmd: "cat", yield_time_ms: 2_000 });
  const stop = new AbortController();
  const kinds: string[] = [];
  const reading = (async () => {
    for await (const { events } of tools.sessions.events({ signal: stop.signal })) {
      kinds.push(...events.map(({ kind }) => kind));
    }
  })();
  await until(async () => {
    await tools.sessions.freeze(structured["session_id"]);
    await tools.sessions.thaw(structured["session_id"]);
    return kinds.includes("thawed");
  }, "an event");
  stop.abort();
  await reading.catch(() => undefined);

  expect(kinds).toContain("frozen");
});

test("what was frozen when its host died is ended by the next host", async () => {
  const directory = hostDirectory();
  const first = hostAt(directory);
  const { session } = await first.turn({
    caller: "test",
    on: { kind: "start", start: { command: "exec sleep 1000", shell: "/bin/sh" } },
  });
  const host = await pidOf(first);
  await until(() => childrenOf(host).length === 1, "it sleeps");
  const programs = childrenOf(host);
  await first.freeze(session.id);
  endProcess(host);
  await until(() => isGone(host), "the host is gone");

  await hostAt(directory).list({ ended: true });
  await until(() => programs.every(isGone), "the frozen program is gone");
});

function childrenOf(pid: number): readonly number[] {
  const all = pidsOf();
  return all.filter((each) => readProcess(each)?.parent === pid && readProcess(each)?.name === "sleep");
}

function pidsOf(): readonly number[] {
  return readdirSync("/proc").map(Number).filter(Number.isInteger);
}
