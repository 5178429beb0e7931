import { expect, test } from "vitest";
import { openSession, type Session, SessionRegistry } from "../../../src/entries/session.ts";
import { guardEveryCase } from "../../support/case-guard.ts";
import { needs } from "../../support/needs.ts";
import { startScript } from "../../support/processes.ts";
import { codeOf, errorOf, until } from "../../support/sessions.ts";

guardEveryCase();

const FEW_DESCRIPTORS = 64;
/** For hundreds of programs on a busy machine. */
const MANY_MS = 180_000;
const EXHAUSTED = { name: "LimpetError", code: "RESOURCE_EXHAUSTED" };

test("of fifty sessions opened at once exactly as many as the limit allows succeed", async () => {
  await using registry = new SessionRegistry({ maxSessions: 8 });

  const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => registry.open({ program: "cat" })));

  const codes = outcomes.map((outcome) => (outcome.status === "fulfilled" ? "open" : outcome.reason.code));
  expect(codes.filter((code) => code === "open")).toHaveLength(8);
  expect(codes.filter((code) => code === "SESSION_LIMIT")).toHaveLength(42);
  expect(registry.list()).toHaveLength(8);
});

test("the refusal names what could be closed, and no live session makes room", async () => {
  await using registry = new SessionRegistry({ maxSessions: 2 });
  const first = await registry.open({ program: "cat", name: "first" });
  const second = await registry.open({ program: "cat" });

  const error = await errorOf(registry.open({ program: "cat" }));

  expect(error.code).toBe("SESSION_LIMIT");
  expect(error.message).toContain(`${first.id} "first", ${second.id}`);
  expect([first.phase, second.phase]).toEqual(["running", "running"]);
});

test("a slot is free once its program has exited or was closed, and after a start that failed", async () => {
  await using registry = new SessionRegistry({ maxSessions: 1 });

  const short = await registry.open({ program: "true" });
  await short.exited;
  await until(() => short.exit !== undefined, "the exit is noted");
  const long = await registry.open({ program: "cat" });
  expect(await codeOf(registry.open({ program: "cat" }))).toBe("SESSION_LIMIT");
  await registry.close(long.id);
  expect(await codeOf(registry.open({ program: "no-such-program" }))).toBe("PROGRAM_NOT_FOUND");
  const last = await registry.open({ program: "cat" });

  expect(registry.list()).toEqual([last]);
  expect(registry.list({ ended: true })).toEqual([short, last]);
});

test("a name that is taken is refused, also when both are opened at once", async () => {
  await using registry = new SessionRegistry();

  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, () => registry.open({ program: "cat", name: "one" })),
  );

  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const refused = outcomes.find((outcome) => outcome.status === "rejected");
  expect(refused?.reason.code).toBe("NAME_TAKEN");
});

test("ended sessions stay readable until too many of them make room", { timeout: MANY_MS }, async () => {
  await using registry = new SessionRegistry({ maxSessions: 10 });
  const all: Session[] = [];
  for (let index = 0; index < 300; index += 1) {
    const session = await registry.open({ command: `echo ${index}`, shell: "/bin/sh", tty: false });
    await session.ended;
    all.push(session);
  }
  await until(() => all.every(({ exit }) => exit !== undefined), "all exits are noted");

  const kept = registry.list({ ended: true });
  expect(kept).toHaveLength(256);
  expect((await registry.get(kept[0]?.id ?? 0).readText()).text).toBe("44\n");
});

test("sessions that end together make room at once, without another one being opened", {
  timeout: MANY_MS,
}, async () => {
  await using registry = new SessionRegistry({ maxSessions: 30 });

  for (let round = 0; round < 9; round += 1) {
    const opened = Array.from({ length: 30 }, () => registry.open({ program: "cat", tty: false }));
    const all = await Promise.all(opened);
    for (const session of all) session.endInput();
    await Promise.all(all.map((session) => session.ended));
  }

  expect(registry.list({ ended: true })).toHaveLength(256);
});

test("an idle session is closed with the reason", async () => {
  // Far longer than it takes a busy machine to come round to the next look.
  await using registry = new SessionRegistry({ idleMs: 3_000 });
  const idle = await registry.open({ program: "cat" });
  const busy = await registry.open({ program: "cat" });

  await until(() => {
    registry.get(busy.id);
    return idle.phase === "ended";
  }, "the idle one is closed");

  expect([idle.closeReason, busy.closeReason]).toEqual(["idle", undefined]);
  expect(busy.phase).toBe("running");
});

test("closing all, twice at once, leaves nothing", async () => {
  const registry = new SessionRegistry();
  const sessions = await Promise.all(
    Array.from({ length: 12 }, (_, index) => registry.open({ program: "cat", tty: index % 2 === 0 })),
  );

  await Promise.all([registry.closeAll(), registry.closeAll({ force: true }), registry.close(sessions[0]?.id ?? 0)]);

  expect(registry.list({ ended: true })).toEqual([]);
  expect(sessions.map(({ phase }) => phase)).toEqual(sessions.map(() => "ended"));
});

test("closing all also closes sessions that are being opened", async () => {
  const registry = new SessionRegistry();

  const opening = registry.open({ program: "cat" });
  await registry.closeAll();
  const session = await opening.catch(() => undefined);

  expect(session?.phase ?? "ended").toBe("ended");
  expect(registry.list()).toEqual([]);
});

test("a process that may open few files loads the library, and runs a session", async () => {
  const script = startScript("opens-one.mjs", [], `ulimit -n ${FEW_DESCRIPTORS}; exec "$@"`);

  expect(await script.next()).toEqual({ ok: true });
  expect(await script.ended).toEqual({ code: 0, signal: null, errors: "" });
});

test("without descriptors a session is refused, and everything works when some are free again", async () => {
  const script = startScript("runs-out-of-descriptors.mjs", [], `ulimit -n ${FEW_DESCRIPTORS}; exec "$@"`);

  const terminals = await script.next();
  const pipes = await script.next();
  const none = await script.next();

  for (const outcome of [terminals, pipes]) {
    expect(outcome).toMatchObject({ error: EXHAUSTED, isEchoing: true, left: 0, echoesAgain: true });
    expect(outcome["opened"]).toBeGreaterThan(5);
    expect(outcome["ended"]).toBe(outcome["opened"]);
    expect(String((outcome["error"] as { message: string }).message)).toMatch(/EMFILE.*ulimit -n/);
  }
  expect(none).toMatchObject({ refused: "RESOURCE_EXHAUSTED", left: 0 });
  expect(none["ended"]).toBeGreaterThanOrEqual(2);
  expect(await script.ended).toEqual({ code: 0, signal: null, errors: "" });
});

test.runIf(needs("root"))(
  "without terminals a session is refused by name, pipes still work, and a freed one is used",
  async () => {
    const wrap = `exec unshare -m /bin/bash -c '
    mount -t devpts -o newinstance,ptmxmode=0666,max=5 devpts /dev/pts && mount --bind /dev/pts/ptmx /dev/ptmx && exec "$@"' bash "$@"`;
    const script = startScript("runs-out-of-terminals.mjs", [], wrap);

    expect(await script.next()).toEqual({
      opened: 5,
      error: { ...EXHAUSTED, message: expect.stringMatching(/ENOSPC.*kernel\.pty\.max/) },
      piped: "no terminal needed\n",
      again: "again\r\n",
    });
    expect(await script.ended).toEqual({ code: 0, signal: null, errors: "" });
  },
);

test.runIf(needs("root"))("without /dev/pts a terminal is refused by name", async () => {
  const wrap = `exec unshare -m /bin/bash -c 'mount -t tmpfs none /dev/pts && exec "$@"' bash "$@"`;
  const script = startScript("runs-out-of-terminals.mjs", [], wrap);

  expect(await script.next()).toEqual({
    opened: 0,
    error: { ...EXHAUSTED, message: expect.stringContaining("/dev/pts exist") },
    piped: "no terminal needed\n",
  });
  expect(await script.ended).toEqual({ code: 0, signal: null, errors: "" });
});

test("many sessions at once echo their own input and nothing else's", async () => {
  const sessions = await Promise.all(
    Array.from({ length: 40 }, (_, index) => openSession({ program: "cat", tty: index % 2 === 0 })),
  );

  await Promise.all(sessions.map((session) => session.write(`I am ${session.id}.\n`)));
  await Promise.all(
    sessions.map((session) =>
      until(() => session.endCursor >= `I am ${session.id}.\n`.length * (session.tty ? 2 : 1), "the echo"),
    ),
  );
  const texts = await Promise.all(sessions.map(async (session) => (await session.readText()).text));
  await Promise.all(sessions.map((session) => session.close({ force: true })));

  expect(texts.map((text) => [...new Set(text.match(/\d+/g))])).toEqual(sessions.map(({ id }) => [String(id)]));
});
