/** Sessions of the profile that promises what the agent seed does: how many there are, how they close and expire. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { until } from "../../support/sessions.ts";
import { openTools } from "../../support/tools.ts";
import { exec } from "../../support/unified-exec.ts";
import { allText, LONG_MS, temporaryDirectory } from "../../support/watching.ts";

test("a session is created, used, listed and closed", async () => {
  await using tools = openTools("unified");
  const { session_id } = await exec(tools, "cat");

  const { structured } = await tools.call("write_stdin", { session_id, chars: "hi\n", yield_time_ms: LONG_MS });
  expect(structured["output"]).toBe("hi\r\nhi\r\n");
  expect((await tools.call("list_pty_sessions")).structured).toEqual({
    success: true,
    sessions: [{ session_id, command: "cat", running: true }],
    count: 1,
  });
  expect((await tools.call("close_pty_session", { session_id })).structured).toEqual({ success: true, session_id });
  expect((await tools.call("list_pty_sessions")).structured).toEqual({ success: true, sessions: [], count: 0 });
});

test("force kills what would not end by itself", async () => {
  await using tools = openTools("unified");
  const { session_id } = await exec(tools, "trap '' HUP TERM; echo deaf; while :; do sleep 1; done", {
    yield_time_ms: 300,
  });

  expect((await tools.call("close_pty_session", { session_id, force: true })).structured["success"]).toBe(true);
  expect(tools.registry.list({ ended: true })).toEqual([]);
});

test("closing lets a program that handles SIGTERM finish first", async () => {
  await using tools = openTools("unified");
  const file = join(temporaryDirectory(), "said");
  // Of signals that come together, bash handles the hang-up first. One that comes long after does not matter.
  const term = `trap "" HUP; sleep 0.2; echo TERM >>${file}; exit`;
  const cmd = `trap '${term}' TERM; trap 'echo HUP >>${file}; exit' HUP; echo ready; sleep 1000 & wait`;
  const { session_id } = await exec(tools, cmd, { yield_time_ms: 300 });
  const session = tools.registry.get(session_id);
  await until(async () => (await allText(session)).includes("ready"), "it is ready");

  await tools.call("close_pty_session", { session_id });

  expect(readFileSync(file, "utf8")).toBe("TERM\n");
});

test("a program that ignores SIGTERM is closed all the same", async () => {
  await using tools = openTools("unified");
  const { session_id } = await exec(tools, "exec bash --norc -i", { yield_time_ms: 1_000 });

  expect((await tools.call("close_pty_session", { session_id })).structured).toEqual({ success: true, session_id });
});

test("several sessions at once keep their output apart", async () => {
  await using tools = openTools("unified");
  const words = ["ant", "bee", "cow", "doe", "elk"];
  const ids = await Promise.all(words.map(async () => (await exec(tools, "stty -echo; cat"))["session_id"]));

  const answers = await Promise.all(
    ids.map((session_id, index) =>
      tools.call("write_stdin", { session_id, chars: `${words[index]}\n`, yield_time_ms: LONG_MS }),
    ),
  );

  expect(answers.map(({ structured }) => structured["output"].trim().split("\n").at(-1))).toEqual(words);
});

test("an eleventh session is refused, and none of the ten is ended for it", async () => {
  await using tools = openTools("unified");
  for (let index = 0; index < 10; index += 1) await exec(tools, "exec sleep 1000", { yield_time_ms: 0 });

  const refused = await tools.raw("unified_exec", { cmd: "true" });

  expect(refused.isError).toBe(true);
  expect(JSON.parse(refused.text)).toEqual({
    success: false,
    error: expect.stringContaining("All 10 sessions are in use"),
  });
  expect(tools.registry.list().length).toBe(10);
});

test("a session that nobody touches is closed after its time", async () => {
  await using tools = openTools("unified", { idleMs: 100 });
  await exec(tools, "exec sleep 1000", { yield_time_ms: 0 });

  await until(() => tools.registry.list().length === 0, "it has expired");
});

test("an expired session says so in an empty poll", async () => {
  await using tools = openTools("unified", { idleMs: 100 });
  const { session_id } = await exec(tools, "exec sleep 1000", { yield_time_ms: 0 });
  await until(() => tools.registry.list().length === 0, "it has expired");

  const { structured } = await tools.call("write_stdin", { session_id, chars: "" });

  expect(structured).toMatchObject({
    success: true,
    running: false,
    notes: ["Closed: nobody had used it for 0.1 s"],
  });
});

test("a session that does not exist is an error with its reason", async () => {
  await using tools = openTools("unified");

  for (const [tool, args] of [
    ["write_stdin", { session_id: "abc123", chars: "x" }],
    ["close_pty_session", { session_id: "abc123" }],
  ] as const) {
    expect(JSON.parse(await tools.refusal(tool, args))).toEqual({
      success: false,
      error: expect.stringContaining('No session "abc123"'),
    });
  }
});
