import { expect, test } from "vitest";
import { LocalService } from "../../src/service/local-service.ts";
import { until } from "../support/sessions.ts";
import { openTools } from "../support/tools.ts";

const plain = { login: false, shell: "/bin/sh" };
const IDLE_MS = 100;

test("a session does not expire in the middle of a call, but after it", async () => {
  await using tools = openTools("all", { idleMs: IDLE_MS });

  const { structured } = await tools.call("exec_command", {
    cmd: "sleep 0.6; echo done; exec sleep 1000",
    until: "done",
    yield_time_ms: 20_000,
    ...plain,
  });

  expect(structured).toMatchObject({ yielded: "matched", running: true });
  await until(() => tools.registry.list().length === 0, "it has expired");
});

test("one that only watches keeps no session from expiring", async () => {
  await using tools = openTools("all", { idleMs: IDLE_MS });
  const { id } = await tools.registry.open({ program: "cat" });
  const sessions = new LocalService(tools.registry);

  const on = { kind: "session", key: id } as const;
  const wait = { kind: "output", onInput: false } as const;
  const { result } = await sessions.turn({ caller: "watch", on, wait, isWatch: true });

  expect(result?.reason).toBe("exited");
});

test("of a session that was closed because nobody used it, every answer says so", async () => {
  await using tools = openTools("all", { idleMs: IDLE_MS });
  const { id } = await tools.registry.open({ program: "cat" });
  await until(() => tools.registry.list().length === 0, "it has expired");

  const waited = await tools.call("wait_for", { session_ids: [id] });
  const listed = await tools.call("list_sessions", { ended: true });
  const refused = await tools.refusal("write_stdin", { session_id: id, chars: "x" });

  expect(waited.text).toContain("\nClosed: nobody had used it for 0.1 s\n");
  expect(listed.text).toContain("(nobody had used it for 0.1 s)");
  expect(refused).toContain("closed because nobody had used it for 0.1 s");
});
