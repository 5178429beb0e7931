import { expect, test } from "vitest";
import { LONG_MS, open, waitForInput } from "../../../test/support/watching.ts";
import { scriptedTransport } from "../../transport/scripted/scripted-transport.ts";

const any = expect.any(Number);

test("an exit ends a wait, after all output", async () => {
  const session = await open({ command: "echo one; exit 3" });

  const yielded = await session.wait({ deadlineMs: LONG_MS });

  expect(yielded).toEqual({ reason: "exited", exit: { kind: "code", code: 3 }, cursor: session.endCursor });
  expect((await session.readText()).text).toBe("one\r\n");
});

test("a wait on an ended session ends at once, with its exit or with a match from before", async () => {
  const session = await open({ command: "echo tulip" });
  await session.exited;

  expect(await session.wait({ until: /tulip/, deadlineMs: 0 })).toMatchObject({ reason: "matched", cursor: 5 });
  expect(await session.wait({ until: /tulip/ })).toMatchObject({ reason: "exited" });
  expect(await session.wait()).toMatchObject({ reason: "exited" });
  expect(await session.wait({ until: /tulip/, from: 0 })).toMatchObject({ reason: "matched" });
});

test.each([
  { quietMs: 0 },
  { deadlineMs: -1 },
  { deadlineMs: 1.5 },
  { deadlineMs: Number.NaN },
  { port: 0 },
  { port: 65_536 },
  { from: -1 },
])("%o is refused before any waiting", async (options) => {
  const session = await open({ program: "sleep", args: ["60"] });

  await expect(session.wait(options)).rejects.toMatchObject({ code: "BAD_OPTION" });
});

test("an abort ends the wait with the signal's reason, and the program keeps running", async () => {
  const session = await open({ program: "cat" });
  const reason = new Error("enough");
  const control = new AbortController();
  const wait = session.wait({ onInput: false, signal: control.signal });
  control.abort(reason);

  await expect(wait).rejects.toBe(reason);
  await expect(session.wait({ signal: control.signal })).rejects.toBe(reason);
  await session.write("still here\n");
  expect(await session.wait({ until: /here\s+still here/, onInput: false, deadlineMs: LONG_MS })).toMatchObject({
    reason: "matched",
  });
});

test("silence ends a wait only when it has lasted since the wait started", async () => {
  const session = await open({ command: "echo one; exec sleep 60" });
  await session.wait({ until: "one", deadlineMs: LONG_MS });
  const startedMs = performance.now();

  const yielded = await session.wait({ quietMs: 100, deadlineMs: LONG_MS });

  expect(yielded).toEqual({ reason: "quiet", silentMs: any, cursor: any });
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(99);
});

test("a program that never falls silent does not become quiet", async () => {
  const session = await open({ command: "while :; do echo tick; sleep 0.02; done" });

  await session.wait({ until: "tick", deadlineMs: LONG_MS });

  // On a busy machine it may be silent for a second or two.
  const yielded = await session.wait({ quietMs: 5_000, deadlineMs: 6_000 });

  expect(yielded.reason).toBe("deadline");
});

test("a match in a long output is found before its silence counts", async () => {
  const session = await open({ command: "seq 150000; echo tulip; exec sleep 60", journalBytes: 4 * 1024 * 1024 });
  await session.wait({ until: "tulip", deadlineMs: LONG_MS });

  const yielded = await session.wait({ until: /tulip/, from: 0, quietMs: 1, deadlineMs: LONG_MS });

  expect(yielded.reason).toBe("matched");
});

test("without onInput, a program that waits for input does not end the wait", async () => {
  const session = await open({ program: "cat" });

  expect(await session.wait({ onInput: false, deadlineMs: 200 })).toMatchObject({ reason: "deadline" });
  expect(await session.wait()).toMatchObject({ reason: "input", waitingFor: "line" });
});

test("input typed ahead is read before the program is seen to wait", async () => {
  const session = await open({ command: "sleep 0.3; read -r one; read -r two; echo got $one $two; read -r three" });
  await session.write("a\nb\n");

  const yielded = await session.wait({ deadlineMs: LONG_MS });

  expect(yielded).toMatchObject({ reason: "input", waitingFor: "line" });
  expect((await session.readText()).text).toContain("got a b\r\n");
});

test("half a line typed ahead leaves the program waiting for the rest", async () => {
  const session = await open({ program: "cat" });
  await session.write("half");

  expect(await waitForInput(session)).toBe("line");
});

test("any number of waits may run at once, each with its own reason", async () => {
  const session = await open({ command: "read -r; echo tulip; exit 4" });
  const waits = [
    session.wait({ until: "tulip", onInput: false, deadlineMs: LONG_MS }),
    session.wait({ deadlineMs: LONG_MS }),
    session.wait({ onInput: false, deadlineMs: 1 }),
    session.wait({ onInput: false, deadlineMs: LONG_MS }),
  ];
  await Promise.all(waits.slice(1, 3));
  await session.write("\n");

  const reasons = (await Promise.all(waits)).map(({ reason }) => reason);

  expect(reasons).toEqual(["matched", "input", "deadline", "exited"]);
});

test("a scripted program is waited for like any other", async () => {
  const transport = scriptedTransport(async (program) => {
    program.print("Name: ");
    const name = await program.readLine();
    program.setMode({ isCanonical: true, isEchoing: false });
    program.print(`hello ${name}\r\nPassword: `);
    await program.readLine();
    return { kind: "code", code: 0 };
  });
  const session = await open({ program: "scripted", transport });

  const first = await session.wait({ deadlineMs: LONG_MS });
  await session.write("Ada\n");
  const second = await session.wait({ until: /hello \w+/, onInput: false, deadlineMs: LONG_MS });
  const third = await session.wait({ deadlineMs: LONG_MS });
  await session.write("tulips\n");
  const last = await session.wait({ deadlineMs: LONG_MS });

  expect([first, second, third, last]).toMatchObject([
    { reason: "input", waitingFor: "line" },
    { reason: "matched", text: "hello Ada" },
    { reason: "input", waitingFor: "password" },
    { reason: "exited" },
  ]);
});

test("a session on pipes ends its waits by exit, match, silence and deadline, never by input", async () => {
  const session = await open({ program: "cat", tty: false });

  expect(await session.wait({ deadlineMs: 100 })).toMatchObject({ reason: "deadline" });
  expect(await session.wait({ quietMs: 50 })).toMatchObject({ reason: "quiet" });
  await session.write("tulip");
  expect(await session.wait({ until: "tulip" })).toMatchObject({ reason: "matched" });
  session.endInput();
  expect(await session.wait()).toMatchObject({ reason: "exited" });
});

test("a paused program stays paused during a wait", async () => {
  const bytes = 6 * 1024 * 1024;
  const session = await open({
    command: `head -c ${bytes} /dev/zero; echo`,
    onFlood: "block",
    journalBytes: 2 * 1024 * 1024,
  });
  const reader = session.output();
  const first = await reader.next();
  let seen = first.value?.bytes.length ?? 0;
  let dropped = 0;

  const yielded = await session.wait({ deadlineMs: 300 });
  for await (const page of reader) {
    seen += page.bytes.length;
    dropped += page.dropped;
  }

  expect(yielded.reason).toBe("deadline");
  expect({ dropped, isAll: seen >= bytes }).toEqual({ dropped: 0, isAll: true });
});

test("with onFlood block, a wait for a pattern keeps reading, and nothing is dropped unsearched", async () => {
  const session = await open({ command: "seq 1 300000; echo DO''NE", onFlood: "block" });

  const middle = await session.wait({ until: /\b123456\b/, onInput: false, deadlineMs: LONG_MS });
  const end = await session.wait({ until: "DONE", onInput: false, deadlineMs: LONG_MS });

  expect([middle.reason, end.reason]).toEqual(["matched", "matched"]);
});
