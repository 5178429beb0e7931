/** Sessions that are reused by their name: one for all who ask, and a new one where it has ended. */
import { expect, test } from "vitest";
import { until } from "../support/sessions.ts";
import { openTools } from "../support/tools.ts";

const plain = { login: false, shell: "/bin/sh" };

test("all who ask for a name to reuse at the same time get one and the same session", async () => {
  await using tools = openTools();
  const request = { cmd: "echo up; exec sleep 1000", name: "server", reuse: true, until: "up\\n", ...plain };

  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) => tools.call("exec_command", request, { caller: `caller ${index}` })),
  );

  expect(new Set(answers.map(({ structured }) => structured["session_id"])).size).toBe(1);
  expect(answers.map(({ structured }) => structured["reused"]).sort()).toEqual([false, ...Array(7).fill(true)]);
  expect(answers.map(({ structured }) => structured["output"])).toEqual(Array(8).fill("up\n"));
});

test("reuse starts a new session where the one of that name has ended", async () => {
  await using tools = openTools();
  const first = await tools.call("exec_command", { cmd: "echo one", name: "job", reuse: true, ...plain });
  const second = await tools.call("exec_command", { cmd: "echo two", name: "job", reuse: true, ...plain });

  expect(second.structured).toMatchObject({ reused: false, output: "two\n" });
  expect(second.structured["session_id"]).not.toBe(first.structured["session_id"]);
  const read = await tools.call("read_output", { session_id: "job" });
  expect(read.structured["output"]).toBe("two\n");
});

test("a failed start leaves the name free for whoever asked at the same time", async () => {
  await using tools = openTools();
  const bad = { cmd: "echo one", name: "job", reuse: true, workdir: "/nowhere", ...plain };
  const good = { cmd: "echo two", name: "job", reuse: true, ...plain };

  const [failed, fine] = await Promise.all([tools.raw("exec_command", bad), tools.raw("exec_command", good)]);

  expect([failed.isError, fine.isError]).toEqual([true, false]);
});

test("reuse does not hand out a session that is being closed, but starts a new one when that has ended", async () => {
  await using tools = openTools();
  const cmd = "trap '' HUP TERM; echo up; while :; do sleep 0.05; done";
  const request = { cmd, name: "server", reuse: true, until: "up", ...plain };
  const first = await tools.call("exec_command", request);

  const closing = tools.call("close_session", { session_id: "server" });
  await until(() => tools.registry.get("server").closeReason !== undefined, "it is being closed");
  const others = await Promise.all([tools.call("exec_command", request), tools.call("exec_command", request)]);
  await closing;

  const ids = others.map(({ structured }) => structured["session_id"]);
  expect(ids[0]).toBe(ids[1]);
  expect(ids[0]).not.toBe(first.structured["session_id"]);
  expect(others.map(({ structured }) => structured["running"])).toEqual([true, true]);
});
