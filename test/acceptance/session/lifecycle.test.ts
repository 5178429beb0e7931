import { execFile } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openSession } from "../../../src/entries/session.ts";
import { guardEveryCase } from "../../support/case-guard.ts";
import { needs, skipTestWithout } from "../../support/needs.ts";
import { pidsWith, uniqueSeconds } from "../../support/processes.ts";
import { errorOf, isLong, outputHas, takeAll, until } from "../../support/sessions.ts";

guardEveryCase();

test("a program has descriptors 0, 1 and 2 and no way into another session's terminal", async () => {
  skipTestWithout("python3");
  await using terminal = await openSession({ program: "cat" });
  await using piped = await openSession({ program: "cat", tty: false });
  const attack =
    "import os\nfor fd in range(3, 200):\n try: os.write(fd, b'stolen')\n except OSError: pass\nprint('tried')\ninput()";

  await using attacker = await openSession({ program: "python3", args: ["-c", attack] });
  await outputHas(attacker, "tried");

  // While it starts, a program opens its libraries.
  const descriptors = () => [terminal, piped, attacker].map(({ pid }) => readdirSync(`/proc/${pid}/fd`));
  await expect.poll(descriptors).toEqual(Array(3).fill(["0", "1", "2"]));
  expect([terminal.endCursor, piped.endCursor]).toEqual([0, 0]);
});

test("input that a killed program never read does not reach the next one, and its caller learns the count", async () => {
  for (let round = 0; round < (isLong ? 100 : 20); round += 1) {
    await using deaf = await openSession({ command: "stty raw -echo; echo ready; exec sleep 100", shell: "/bin/bash" });
    await outputHas(deaf, "ready");
    const typed = deaf.write(Buffer.alloc(300_000, "A"));
    const failed = errorOf(typed);

    await deaf.signal("SIGKILL", { to: "program" });
    await deaf.exited;
    await using next = await openSession({ command: "stty raw -echo; echo ready; exec cat", shell: "/bin/bash" });
    const error = await failed;
    await outputHas(next, "ready");
    await next.write("B");
    await outputHas(next, "B");

    expect((await next.readText()).text).toBe("ready\nB");
    expect(error.code).toBe("INPUT_NOT_DELIVERED");
    expect(error.undeliveredBytes).toBeGreaterThan(100_000);
    expect(error.undeliveredBytes).toBeLessThanOrEqual(300_000);
    expect(error.message).toContain(String(error.undeliveredBytes));
  }
});

test.each([{ tty: true }, { tty: false }])(
  "setsid, nohup and HUP-ignoring children end with the session, $tty",
  async ({ tty }) => {
    const seconds = uniqueSeconds();
    const command = `setsid sleep ${seconds} & (nohup sleep ${seconds} >/dev/null 2>&1 &) ; (trap '' HUP TERM; sleep ${seconds})& echo started; read line`;
    const session = await openSession({ command, shell: "/bin/bash", tty });
    await outputHas(session, "started");
    await until(() => pidsWith(`sleep\0${seconds}`).length === 3, "three sleepers");
    const sleepers = pidsWith(`sleep\0${seconds}`);

    const report = await session.close();

    expect(pidsWith(seconds)).toEqual([]);
    expect(report.left).toEqual([]);
    expect(report.ended.map(({ pid }) => pid)).toEqual(expect.arrayContaining([...sleepers, session.pid]));
    await session.discard();
  },
);

test.skipIf(!needs("cgroups"))(
  "a daemon that forks twice and drops its environment ends with the session",
  async () => {
    const seconds = uniqueSeconds();
    const command = `(setsid env -i /bin/sh -c '(exec sleep ${seconds}) & (exec sleep ${seconds}) &' &); read line`;
    await using session = await openSession({ command, shell: "/bin/bash" });
    await until(() => pidsWith(`sleep\0${seconds}`).length === 2, "two sleepers");

    const report = await session.close();

    expect(pidsWith(seconds)).toEqual([]);
    expect(report.left).toEqual([]);
  },
);

test("a program that forks without pause ends with the session", async () => {
  const seconds = uniqueSeconds();
  const command = `trap '' HUP TERM; for i in 1 2 3; do (trap '' HUP TERM; while :; do setsid sleep ${seconds}.$RANDOM & sleep 0.01; done) & done; wait`;
  await using session = await openSession({ command, shell: "/bin/bash" });
  await until(() => pidsWith(`sleep\0${seconds}`).length > 20, "many sleepers");

  const report = await session.close({ graceMs: 100 });

  expect(pidsWith(seconds)).toEqual([]);
  expect(report.left).toEqual([]);
});

test("a stopped program ends with the session", async () => {
  await using session = await openSession({ command: "kill -STOP $$", shell: "/bin/bash" });
  await until(() => session.endCursor >= 0 && stateOf(session.pid) === "T", "the program is stopped");

  const report = await session.close();

  expect(report.left).toEqual([]);
  expect(session.phase).toBe("ended");
});

test("a program that ignores hang-up, TERM and INT is killed after the grace", async () => {
  const command = "trap '' TERM INT HUP; echo ready; while :; do sleep 1; done";
  await using session = await openSession({ command, shell: "/bin/bash" });
  await outputHas(session, "ready");

  const report = await session.close({ graceMs: 1_000 });

  expect(session.exit).toEqual({ kind: "signal", signal: "SIGKILL" });
  expect(session.closeReason).toBe("asked");
  expect(report.ended).toContainEqual({ pid: session.pid, name: "bash", signal: "SIGKILL" });
});

test("a program that needs its grace gets it", async () => {
  const command = "trap 'sleep 0.3; echo saved; exit 5' TERM; echo ready; while :; do sleep 0.05; done";
  await using session = await openSession({ command: `trap '' HUP; ${command}`, shell: "/bin/bash" });
  await outputHas(session, "ready");

  // SIGTERM comes after a quarter of it.
  await session.close({ graceMs: 12_000 });

  expect(session.exit).toEqual({ kind: "code", code: 5 });
  expect((await session.readText()).text).toContain("saved");
});

test("a second caller in a hurry shortens the grace of the first", async () => {
  await using session = await openSession({
    command: "trap '' TERM HUP; echo ready; while :; do sleep 1; done",
    shell: "/bin/bash",
  });
  await outputHas(session, "ready");

  const patient = session.close({ graceMs: 60_000 });
  const hasty = session.close({ force: true });

  expect(await patient).toEqual(await hasty);
  expect(session.exit).toEqual({ kind: "signal", signal: "SIGKILL" });
});

test.each([{ tty: true }, { tty: false }])(
  "an exit is reported at once while a grandchild keeps writing, $tty",
  async ({ tty }) => {
    const seconds = uniqueSeconds();
    const command = `trap '' HUP; (until [ -e "$GO" ]; do sleep 0.01; done; echo late; exec sleep ${seconds}) & exit 3`;
    const go = join(tmpdir(), `limpet-test-${seconds}`);
    const env = { PATH: process.env["PATH"] ?? "/usr/bin:/bin", GO: go };
    const session = await openSession({ command, shell: "/bin/bash", tty, env });

    expect(await session.exited).toEqual({ kind: "code", code: 3 });
    expect(session.phase).toBe("exited");
    writeFileSync(go, "");
    await outputHas(session, "late");
    await until(() => pidsWith(`sleep\0${seconds}`).length === 1, "it has become sleep");
    const report = await session.discard();
    rmSync(go);

    expect(report.ended.map(({ name }) => name)).toEqual(["sleep"]);
    expect(session.phase).toBe("ended");
    expect(session.exit).toEqual({ kind: "code", code: 3 });
    expect(pidsWith(seconds)).toEqual([]);
  },
);

test("programs that end at once, one after the other, all end with 0", { timeout: 180_000 }, async () => {
  const exits = new Map<string, number>();
  for (let round = 0; round < (isLong ? 1_000 : 200); round += 1) {
    const session = await openSession({ program: "true", tty: round % 5 !== 0 });
    const exit = JSON.stringify(await session.ended);
    exits.set(exit, (exits.get(exit) ?? 0) + 1);
  }

  expect([...exits]).toEqual([['{"kind":"code","code":0}', isLong ? 1_000 : 200]]);
});

test("programs that end at once, many together, keep their own exit codes and output", async () => {
  const count = isLong ? 300 : 60;
  const sessions = await Promise.all(
    Array.from({ length: count }, (_, code) =>
      openSession({ command: `echo mine ${code}; exit ${code % 256}`, shell: "/bin/sh" }),
    ),
  );

  const exits = await Promise.all(sessions.map((session) => session.ended));
  const texts = await Promise.all(sessions.map(async (session) => (await takeAll(session)).bytes.toString()));

  expect(exits).toEqual(sessions.map((_, code) => ({ kind: "code", code: code % 256 })));
  expect(texts).toEqual(sessions.map((_, code) => `mine ${code}\r\n`));
});

test("death by each signal is reported by its name", async () => {
  for (const signal of [
    "SIGHUP",
    "SIGKILL",
    "SIGSEGV",
    "SIGABRT",
    "SIGTERM",
    "SIGPIPE",
    "SIGXFSZ",
    "SIGUSR2",
  ] as const) {
    await using session = await openSession({ command: `ulimit -c 0; kill -${signal.slice(3)} $$`, shell: "/bin/sh" });

    expect(await session.ended).toEqual({ kind: "signal", signal });
  }
});

test("exits are reported correctly next to other children of this process", async () => {
  const others = Array.from(
    { length: 10 },
    (_, code) => new Promise((resolve) => execFile("sh", ["-c", `exit ${code}`], (error) => resolve(error?.code ?? 0))),
  );
  const ours = Array.from({ length: 10 }, async (_, code) => {
    const session = await openSession({ command: `exit ${code}`, shell: "/bin/sh" });
    return await session.ended;
  });

  expect(await Promise.all(others)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(await Promise.all(ours)).toEqual(Array.from({ length: 10 }, (_, code) => ({ kind: "code", code })));
});

function stateOf(pid: number | null): string {
  return /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, "latin1"))?.[1] ?? "";
}
