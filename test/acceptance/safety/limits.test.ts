/** Limits of sessions, against the real kernel: R-06 and the part of P-17 that is about limits. */
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { GivenLimits } from "../../../src/base/session-limits.ts";
import { openSession, type Session } from "../../../src/entries/session.ts";
import { handAlarm } from "../../support/hand-alarm.ts";
import { skipTestWithout } from "../../support/needs.ts";
import { openTools } from "../../support/tools.ts";

async function limited(command: string, limits: GivenLimits, cwd?: string): Promise<Session> {
  const session = await openSession({ command, shell: "/bin/bash", limits, ...(cwd === undefined ? {} : { cwd }) });
  onTestFinished(async () => void (await session.discard({ force: true })));
  return session;
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "limpet-limits-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

test("a program and its children have the limits, from the first instruction on", async () => {
  const limits = { openFiles: 64, fileSize: "1M", cpuTime: "90s", memory: "512M" };
  const session = await limited("ulimit -Hn -Hf -Ht -Hd; sh -c 'ulimit -Hn'", limits);

  await session.ended;
  const { text } = await session.readText({ from: 0 });
  expect(text).toMatch(/open files .* 64\r?\n/);
  expect(text).toMatch(/file size .* 1024\r?\n/);
  expect(text).toMatch(/cpu time .* 95\r?\n/);
  expect(text).toMatch(/data seg size .* 524288\r?\n/);
  expect(text).toMatch(/\n64\r?\n$/);
});

test("a hard limit of this process is never raised", async () => {
  const own = /Max open files\s+\S+\s+(\S+)/.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
  const session = await limited("ulimit -Hn", { openFiles: 999_999_999 });

  await session.ended;
  expect((await session.readText({ from: 0 })).text.trim()).toBe(own);
});

test("a file that grows too large ends the program, and the exit says so", async () => {
  const path = folder();
  const session = await limited(
    "head -c 1M /dev/zero > big; exec head -c 1M /dev/zero > big",
    { fileSize: "64K" },
    path,
  );

  expect(await session.exited).toMatchObject({ kind: "signal", signal: "SIGXFSZ", limit: "fileSize" });
  expect(statSync(join(path, "big")).size).toBe(64 * 1024);
  expect(session.limitState?.endedBy).toBe("fileSize");
});

test("CPU time ends a program that spins", async () => {
  const session = await limited("exec sh -c 'while :; do :; done'", { cpuTime: "1s" });

  const exit = await session.exited;
  expect(exit).toMatchObject({ limit: "cpuTime" });
  expect(session.limitState?.endedBy).toBe("cpuTime");
});

test("CPU time counts for the whole session, however many processes share the work", async () => {
  const session = await limited("while :; do sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done'; done", {
    cpuTime: "1s",
  });

  await session.exited;
  expect(session.closeReason).toBe("limit");
  expect(session.limitState?.endedBy).toBe("cpuTime");
});

test("wall time ends a session that does nothing, with that reason", async () => {
  const session = await limited("sleep 1000", { wallTime: "300ms" });

  const exit = await session.exited;
  expect(session.closeReason).toBe("limit");
  expect(exit).toMatchObject({ limit: "wallTime" });
});

test("wall time follows a clock that nobody can set", async () => {
  const hand = handAlarm();
  const { LimitWatch } = await import("../../../src/session/limit-watch.ts");
  const session = await limited("exec sleep 1000", {});
  const close = (options: Parameters<Session["close"]>[0]) => session.close(options);
  const watch = new LimitWatch(
    { limits: { wallTime: 7_200_000 }, enforced: {}, exited: session.exited, usage: undefined, close },
    hand.alarm,
  );
  onTestFinished(() => watch.stop());
  const realNow = Date.now;
  Date.now = () => realNow() + 365 * 86_400_000;
  onTestFinished(() => {
    Date.now = realNow;
  });

  await hand.pass(7_100_000);
  expect(session.exit).toBeUndefined();
  await hand.pass(100_000);
  expect(await session.exited).toMatchObject({ limit: "wallTime" });
});

test("a process gets no more memory than its limit", async () => {
  skipTestWithout("python3");
  const session = await limited(`exec python3 -c "x = bytearray(300 * 1024 * 1024)"`, { memory: "128M" });

  const exit = await session.exited;
  const { text } = await session.readText({ from: 0 });
  expect([text.includes("MemoryError"), exit.kind !== "lost" && exit.limit === "memory"]).toContain(true);
});

test("processes that each stay below it cannot use more memory together", async () => {
  skipTestWithout("python3");
  const one = `python3 -c "x = b'x' * (60 * 1024 * 1024); import time; time.sleep(1000)"`;
  const session = await limited(`${one} & ${one} & ${one} & ${one} & wait`, { memory: "128M" });

  await session.exited;
  expect(session.limitState?.endedBy).toBe("memory");
});

test("a program in a shell is named with the limit that ended it", async () => {
  await using tools = openTools();
  const path = folder();
  const { text } = await tools.call(
    "exec_command",
    { cmd: "exec head -c 1M /dev/zero > big", workdir: path, shell: "/bin/bash" },
    { limits: { fileSize: 4096 } },
  );

  expect(text).toContain("Ended by its limit of file size");
});

test("lists show limits, who enforces them, and which one ended a session", async () => {
  await using tools = openTools();
  const start = (name: string, wallTime: number) =>
    tools.call("exec_command", { cmd: "sleep 1000", name, yield_time_ms: 0 }, { limits: { wallTime, openFiles: 64 } });
  await start("long", 3_600_000);
  await start("short", 400);

  const before = await tools.call("list_sessions");
  expect(before.text).toContain("limits: open files 64 (each process), wall time 1h");
  const { text } = await tools.call("wait_for", { session_ids: ["short"], timeout_ms: 20_000 });
  expect(text).toContain("Closed: it reached its limit of wall time 400ms");
  const after = await tools.call("list_sessions", { ended: true });
  expect(after.structured["sessions"]).toMatchObject([
    { name: "long", ended_by_limit: null },
    { name: "short", ended_by_limit: "wallTime" },
  ]);
});

test("an agent can lower a limit and never raise it", async () => {
  await using tools = openTools();
  const ask = (processes: string) => {
    const start = { command: "sleep 1000", shell: "/bin/sh", limits: { processes } };
    return tools.sessions.turn({ caller: "agent", limits: { processes: 50 }, on: { kind: "start", start } });
  };

  await expect(ask("51")).rejects.toThrow("processes 51 is more than a person allows (processes 50)");
  await ask("5");
  expect((await tools.call("list_sessions")).text).toContain("limits: processes 5");
});

test("limits hold in a sandbox, too", async () => {
  skipTestWithout("landlock");
  await using tools = openTools();
  const limits = { openFiles: 77, processes: 30 };
  const given = {
    cmd: "ulimit -Hn; echo $LIMPET_SANDBOX",
    shell: "/bin/sh",
    sandbox: "read-only",
    yield_time_ms: 20_000,
  };
  const { text } = await tools.call("exec_command", given, { limits });

  expect(text).toMatch(/\n77\r?\nread-only/);
});

test("the shell of run has the limits of the turn", async () => {
  await using tools = openTools();
  const { text } = await tools.call("run", { command: "ulimit -n" }, { limits: { openFiles: 77 } });

  expect(text).toContain("\n77");
});
