/** What wakes a wait: each event once for each caller. */
import { expect, test } from "vitest";
import { behind } from "../support/behind-tools.ts";
import { guardEveryCase } from "../support/case-guard.ts";
import { skipTestWithout } from "../support/needs.ts";
import { isBehindEngine } from "../support/places/is-at-place.ts";
import { until } from "../support/sessions.ts";
import { openTools } from "../support/tools.ts";
import { ASKER, end, plain, SLEEPER, start } from "../support/waited-programs.ts";

guardEveryCase();

test("an exit that nobody was told of is reported by the next wait, once, and says which session it was", async () => {
  await using tools = openTools();
  const ids = [await start(tools, SLEEPER, { name: "one" }), await start(tools, SLEEPER)];
  await start(tools, SLEEPER);
  for (const id of ids) await end(tools, id);

  const [first, second] = [await tools.call("wait_for"), await tools.call("wait_for")];
  const third = await tools.call("wait_for", { deadline_ms: 50 });

  expect([first, second].map(({ structured }) => [structured["session_id"], structured["signal"]])).toEqual(
    ids.map((id) => [id, isBehindEngine() ? null : "SIGTERM"]),
  );
  expect(third.structured["yielded"]).toBe("deadline");
});

test("an exit that another call has reported does not end a wait", async () => {
  await using tools = openTools();
  await tools.call("exec_command", { cmd: "exit 3", ...plain });
  await start(tools, SLEEPER);

  const { structured } = await tools.call("wait_for", { deadline_ms: 50 });

  expect(structured["yielded"]).toBe("deadline");
});

test("a session parked at a prompt is reported once, and then the others have their turn", async () => {
  await using tools = openTools();
  const asker = await start(tools, ASKER, { yield_time_ms: 20_000 });
  const other = { caller: "other" };
  await tools.call("write_stdin", { session_id: asker, yield_time_ms: 0, screen: true }, other);
  const { structured: job } = await tools.call("exec_command", { cmd: SLEEPER, yield_time_ms: 0, ...plain }, other);
  const { session_id: id } = job;

  const waiting = tools.call("wait_for", {}, other);
  await end(tools, id);

  expect((await waiting).structured).toMatchObject({ session_id: id, yielded: "exited" });
});

test("a prompt that a call has reported is not news, and the next prompt is", async () => {
  await using tools = openTools();
  const asker = await start(tools, ASKER, { yield_time_ms: 20_000 });
  await start(tools, SLEEPER);
  const parked = await tools.call("wait_for", { deadline_ms: 100 });
  await behind(tools, asker).write("yes\n");

  const next = await tools.call("wait_for", { deadline_ms: 20_000 });

  expect(parked.structured["yielded"]).toBe("deadline");
  expect(next.structured).toMatchObject({ session_id: asker, yielded: "input" });
  expect(next.structured["output"]).toContain("Really? ");
});

test("another caller's reports say nothing about one's own", async () => {
  await using tools = openTools();
  const asker = await start(tools, ASKER, { name: "asker" });
  const own = { session_ids: ["asker"] };
  await tools.call("wait_for", own);

  const theirs = await tools.call("wait_for", own, { caller: "other" });

  expect(theirs.structured).toMatchObject({ session_id: asker, yielded: "input" });
});

test("a wait without ids is for the sessions that the caller has started or used", async () => {
  await using tools = openTools();
  const theirs = await start(tools, ASKER);
  const mine = await tools.call("exec_command", { cmd: SLEEPER, yield_time_ms: 0, ...plain }, { caller: "me" });
  await end(tools, mine.structured["session_id"]);

  const first = await tools.call("wait_for", {}, { caller: "me" });
  await tools.call("write_stdin", { session_id: theirs, yield_time_ms: 0 }, { caller: "me" });
  await behind(tools, theirs).write("yes\n");
  const second = await tools.call("wait_for", {}, { caller: "me" });

  expect(first.structured).toMatchObject({ session_id: mine.structured["session_id"], yielded: "exited" });
  expect(second.structured).toMatchObject({ session_id: theirs, yielded: "input" });
});

test("of several named sessions each end is reported once; when all were, the wait does not block", async () => {
  await using tools = openTools();
  const ids = [
    await start(tools, "exit 1"),
    await start(tools, "sleep 0.3; exit 2"),
    await start(tools, "sleep 0.6; exit 3"),
  ];
  const codes: unknown[] = [];

  for (let round = 0; round < 3; round += 1) {
    codes.push((await tools.call("wait_for", { session_ids: ids })).structured["exit_code"]);
  }
  const again = await tools.call("wait_for", { session_ids: ids });

  expect(codes.toSorted()).toEqual([1, 2, 3]);
  expect(again.structured["yielded"]).toBe("exited");
});

test("a program that waits for input while it prints does not keep the others from being heard", async () => {
  skipTestWithout("python3");
  await using tools = openTools();
  const noisy =
    "import threading, time\n" +
    "def talk():\n while True: print('tick', flush=True); time.sleep(0.05)\n" +
    "threading.Thread(target=talk, daemon=True).start()\n" +
    "input('name? ')\n";
  const asker = await start(tools, `exec python3 -c "${noisy}"`, { until: "name\\? ", yield_time_ms: 20_000 });
  const job = await start(tools, SLEEPER);
  const wait = () => tools.call("wait_for", { deadline_ms: 20_000 });
  // Where it is seen to wait at all, that is reported once.
  const waiting = wait().then((first) => (first.structured["session_id"] === asker ? wait() : first));
  const { endCursor } = tools.registry.get(asker);
  await until(() => tools.registry.get(asker).endCursor > endCursor, "it has printed since");
  await end(tools, job);

  expect((await waiting).structured).toMatchObject({ session_id: job, yielded: "exited" });
});

test("a port that was reported does not end the next wait for any port", async () => {
  skipTestWithout("python3");
  await using tools = openTools();
  const serve = "exec python3 -m http.server 0 --bind 127.0.0.1";
  const first = await start(tools, serve);
  const any = { events: ["listening"], deadline_ms: 20_000 };
  const one = await tools.call("wait_for", any);
  const second = await start(tools, serve);

  const other = await tools.call("wait_for", any);

  expect([one, other].map(({ structured }) => structured["session_id"])).toEqual([first, second]);
});

test("an event in an answer that was cancelled is reported again", async () => {
  await using tools = openTools();
  const id = await start(tools, SLEEPER);
  await end(tools, id);
  const stop = new AbortController();
  const cancelled = tools.raw("wait_for", {}, { signal: stop.signal });
  stop.abort();
  await cancelled.catch(() => undefined);

  expect((await tools.call("wait_for")).structured).toMatchObject({ session_id: id, yielded: "exited" });
});
