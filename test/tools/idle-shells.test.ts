/** Idle shells are not waited for, and a wait with nothing to wait for says so at once. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { guardEveryCase } from "../support/case-guard.ts";
import { until } from "../support/sessions.ts";
import { openTools } from "../support/tools.ts";
import { ASKER, end, SLEEPER, start } from "../support/waited-programs.ts";
import { temporaryDirectory } from "../support/watching.ts";

guardEveryCase();

test("an idle shell is idle: not running, not waited for, and no news", async () => {
  await using tools = openTools();
  const { structured: shell } = await tools.call("run", { command: "true" });
  const id = await start(tools, SLEEPER);
  await end(tools, id);

  const waited = await tools.call("wait_for");
  const listed = await tools.call("list_sessions");

  expect(waited.structured).toMatchObject({ session_id: id, yielded: "exited" });
  expect(waited.text).not.toContain("Still running");
  expect(listed.structured["sessions"]).toMatchObject([{ session_id: shell["session_id"], idle: true, running: true }]);
  expect(listed.text).toMatch(/^\d+ \(default\): idle, /);
});

test("a shell is idle again when its command has finished, and is not while it runs", async () => {
  await using tools = openTools();
  const asked = await tools.call("run", { command: "read x" });
  const { session_id: id } = asked.structured;
  const isIdle = async () => (await tools.call("list_sessions")).structured["sessions"][0].idle;

  expect(await isIdle()).toBe(false);
  await tools.call("write_stdin", { session_id: id, chars: "x\n", yield_time_ms: 20_000 });
  expect(await isIdle()).toBe(true);
});

test("a command that finished between two calls is reported by the next wait, once", async () => {
  await using tools = openTools();
  const file = join(temporaryDirectory(), "go");
  const command = `until [ -e ${file} ]; do sleep 0.02; done; exit_with() { return 7; }; exit_with`;
  const started = await tools.call("run", { command }, { longestWaitMs: 3_000 });
  const { session_id: id } = started.structured;
  writeFileSync(file, "");
  await until(async () => (await tools.call("list_sessions")).structured["sessions"][0].idle, "it is idle");

  const { structured } = await tools.call("wait_for");

  expect(structured).toMatchObject({ session_id: id, yielded: "finished", command_exit_code: 7 });
  expect(await tools.refusal("wait_for")).toContain("NOTHING_TO_WAIT_FOR");
});

test.each<{ what: string; given: readonly string[]; says: string | RegExp }>([
  {
    what: "nothing runs",
    given: [],
    says: "none of your sessions is running. Start a program with exec_command or run.",
  },
  {
    what: "only a shell is idle",
    given: ["run"],
    says: /none of your sessions is busy \(idle: \d+ \(default\)\)\. Start a program/,
  },
  {
    what: "all wait at prompts that were reported",
    given: ["run", "ask"],
    says: /none of your sessions is busy \(waiting for input, as reported before: \d+ \(asker\); idle: \d+ \(default\)\)\. Answer one/,
  },
])("if $what, a wait says at once that there is nothing to wait for", async ({ given, says }) => {
  await using tools = openTools();
  if (given.includes("run")) await tools.call("run", { command: "true" });
  if (given.includes("ask")) await start(tools, ASKER, { name: "asker", yield_time_ms: 20_000 });

  expect(await tools.refusal("wait_for")).toMatch(says);
});

test("a wait for an idle shell by its id ends at once and says so; one for its output goes on", async () => {
  await using tools = openTools();
  const go = join(temporaryDirectory(), "go");
  const command = `(until [ -e ${go} ]; do sleep 0.05; done; echo late) &`;
  const { structured: shell } = await tools.call("run", { command });
  const { session_id: id } = shell;

  const idle = await tools.call("wait_for", { session_ids: [id] });
  writeFileSync(go, "");
  const late = await tools.call("wait_for", { session_ids: [id], until: "late" });

  expect(idle.structured).toMatchObject({ session_id: id, yielded: "idle", running: true });
  expect(idle.text).toContain("\nIdle: the shell runs no command, so there is nothing to wait for\n");
  expect(late.structured["yielded"]).toBe("matched");
});
