import { expect, test } from "vitest";
import { LONG_MS, open, waitForInput } from "../../../test/support/watching.ts";
import { scriptedTransport } from "../../transport/scripted/scripted-transport.ts";
import type { Session } from "../session.ts";
import { waitForAll, waitForAny } from "./wait-for-any.ts";

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

test("a match ends a wait, with its text, its groups and where it ends", async () => {
  const session = await open({ command: "echo 'listening on port 8080, ready'; exec sleep 60" });

  const yielded = await session.wait({ until: /port (?<port>\d+)/, deadlineMs: LONG_MS });

  expect(yielded).toEqual({
    reason: "matched",
    text: "port 8080",
    groups: { port: "8080" },
    captures: ["8080"],
    cursor: "listening on port 8080".length,
  });
});

test("two patterns that came in one chunk are matched by two waits", async () => {
  const session = await open({ command: "printf 'one two three\\nfour\\n'; exec sleep 60" });

  const reasons: string[] = [];
  for (const until of ["one", "two", "three", "four"]) {
    reasons.push((await session.wait({ until, deadlineMs: LONG_MS })).reason);
  }
  const again = await session.wait({ until: "four", deadlineMs: 50 });

  expect([...reasons, again.reason]).toEqual(["matched", "matched", "matched", "matched", "deadline"]);
});

test("a pattern is matched across the border between two calls", async () => {
  const session = await open({ command: "printf 'REA'; read -rs; printf 'DY\\n'; exec sleep 60" });
  const first = await session.wait({ until: /READY/, deadlineMs: LONG_MS });
  await session.write("\n");

  const second = await session.wait({ until: /READY/, deadlineMs: LONG_MS });

  expect([first.reason, second.reason]).toEqual(["input", "matched"]);
});

test("the same across the border of a wait for any of several", async () => {
  const session = await open({ command: "printf 'REA'; read -rs; printf 'DY\\n'; exec sleep 60" });
  const other = await open({ program: "sleep", args: ["60"] });
  await waitForAny([session, other], { until: /READY/, deadlineMs: LONG_MS });
  await waitForAny([session, other], { until: /READY/, onInput: false, deadlineMs: 50 });
  await session.write("\n");

  const last = await waitForAny([session, other], { until: /READY/, onInput: false, deadlineMs: LONG_MS });

  expect(last.yielded.reason).toBe("matched");
});

test("what happened between two calls is not missed", async () => {
  const session = await open({ command: "read -r; echo tulip; read -r; echo rose; exec sleep 60" });
  await waitForInput(session);
  await session.write("\n");
  await expect.poll(() => session.endCursor).toBeGreaterThan("\r\ntulip".length);

  const tulip = await session.wait({ until: /tulip/, onInput: false, deadlineMs: LONG_MS });
  await session.write("\n");
  const rose = await session.wait({ until: /tulip|rose/, onInput: false, deadlineMs: LONG_MS });

  expect([tulip, rose]).toMatchObject([{ text: "tulip" }, { text: "rose" }]);
});

test("a wait from a cursor sees what follows it, and does not move the position of others", async () => {
  const session = await open({ command: "echo one; echo two; echo three" });
  await session.exited;

  const from = await session.wait({ until: /\w+/, from: 5 });
  const own = await session.wait({ until: /\w+/ });

  expect([from, own]).toMatchObject([{ text: "two" }, { text: "one" }]);
});

test.each(["(", /(?<=a)b/, "a".repeat(5_000)])(
  "a pattern that cannot be searched for is refused before any waiting",
  async (until) => {
    const session = await open({ program: "sleep", args: ["60"] });

    await expect(session.wait({ until, deadlineMs: LONG_MS })).rejects.toMatchObject({ code: "BAD_PATTERN" });
  },
);

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

test("the first of several sessions ends the wait, and the next wait reports the second", async () => {
  const sessions = await Promise.all(
    ["one", "two"].map((word) => open({ command: `echo ${word} ready; exec sleep 60` })),
  );
  await Promise.all(sessions.map((session) => session.wait({ until: /ready/, from: 0, deadlineMs: LONG_MS })));

  const first = await waitForAny(sessions, { until: /\w+ ready/, deadlineMs: LONG_MS });
  const second = await waitForAny(sessions, { until: /\w+ ready/, deadlineMs: LONG_MS });
  const third = await waitForAny(sessions, { until: /\w+ ready/, deadlineMs: 50 });

  const texts = [first, second].map(({ yielded }) => yielded.reason === "matched" && yielded.text).sort();
  expect(texts).toEqual(["one ready", "two ready"]);
  expect(third.yielded.reason).toBe("deadline");
});

test("waiting for all returns the reason of each session, in order", async () => {
  const sessions = await Promise.all([
    open({ command: "exit 2" }),
    open({ program: "cat" }),
    open({ program: "sleep", args: ["60"] }),
  ]);

  // Each has come where it stays, and is seen there long before the deadline.
  await sessions[0]?.exited;
  await waitForInput(sessions[1] as Session);

  const yields = await waitForAll(sessions, { deadlineMs: 3_000 });

  expect(yields.map(({ session, yielded }) => [session.id, yielded.reason])).toEqual(
    sessions.map(({ id }, index) => [id, ["exited", "input", "deadline"][index]]),
  );
});

test("waiting for no session is refused, and an abort ends all waits", async () => {
  const sessions = await Promise.all([
    open({ program: "sleep", args: ["60"] }),
    open({ program: "sleep", args: ["60"] }),
  ]);
  const reason = new Error("enough");
  const control = new AbortController();
  const waits = [waitForAny(sessions, { signal: control.signal }), waitForAll(sessions, { signal: control.signal })];
  control.abort(reason);

  for (const wait of waits) await expect(wait).rejects.toBe(reason);
  await expect(waitForAny([])).rejects.toMatchObject({ code: "BAD_OPTION" });
});

test("twenty sessions may share one signal without a warning", async () => {
  const transport = scriptedTransport(async ({ readLine }) => {
    await readLine();
    return { kind: "code", code: 0 };
  });
  const sessions = await Promise.all(Array.from({ length: 20 }, () => open({ program: "scripted", transport })));
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on("warning", note);
  const control = new AbortController();
  const waits = [waitForAny, waitForAll].map((wait) => wait(sessions, { onInput: false, signal: control.signal }));
  await new Promise((done) => setImmediate(done));
  control.abort();

  await Promise.allSettled(waits);
  await new Promise((done) => setImmediate(done));

  process.off("warning", note);
  expect(warnings).toEqual([]);
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
