/** Waits over sessions here and at places, and what they leave unread. */
import { expect, test, vi } from "vitest";
import { keyOf } from "../../../src/service/listing/session-key.ts";
import { startSession } from "../../../src/service/turn/simple-turns.ts";
import { span } from "../../support/places/span.ts";
import { until } from "../../support/sessions.ts";

// Each test starts a host.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

const CALLER = "test";
const sh = { shell: "/bin/sh" };

test("the first of several sessions at several places ends a wait, and the others stay unread", async () => {
  const { sessions, tools } = span();
  const slow = await startSession(sessions, { command: "echo early; exec sleep 1000", ...sh }, CALLER);
  const started = await tools.call("exec_command", {
    cmd: "read x; echo done",
    place: "build",
    yield_time_ms: 0,
    ...sh,
  });
  const key = started.structured["session_id"] as string;
  const waiting = tools.call("wait_for", { session_ids: [slow.id, key], events: ["exited"] });
  await sessions.write(key, "\n");

  const { structured } = await waiting;
  const rest = await tools.call("write_stdin", { session_id: slow.id, until: "early", yield_time_ms: 60_000 });

  expect(structured).toMatchObject({ session_id: key, yielded: "exited", running: false });
  expect(rest.structured["output"]).toContain("early");
});

test("a wait without ids hears of a session at a place", async () => {
  const { sessions, tools } = span();
  await tools.call("exec_command", { cmd: "exec sleep 1000", yield_time_ms: 0, ...sh });
  const far = await tools.call("exec_command", { cmd: "read x; exit 7", place: "build", yield_time_ms: 0, ...sh });
  const waiting = tools.call("wait_for", { events: ["exited"] });
  await sessions.write(far.structured["session_id"], "\n");

  expect((await waiting).structured).toMatchObject({ session_id: far.structured["session_id"], exit_code: 7 });
});

test("a deadline over several places is reported once, with nothing lost", async () => {
  const { tools } = span();
  const args = { cmd: "echo out; exec sleep 1000", until: "out\\r?\\n", yield_time_ms: 60_000, ...sh };
  const starter = { caller: "starter" };
  const here = (await tools.call("exec_command", args, starter)).structured["session_id"];
  const far = (await tools.call("exec_command", { ...args, place: "build" }, starter)).structured["session_id"];

  const waited = await tools.call("wait_for", { session_ids: [here, far], events: ["exited"], deadline_ms: 100 });
  const outputs: unknown[] = [waited.structured["output"]];
  const told = () => outputs.filter((output) => output === "out\n");
  const readBoth = async () => {
    const look = (key: unknown) => tools.call("write_stdin", { session_id: key, yield_time_ms: 0 });
    for (const { structured } of await Promise.all([here, far].map(look))) outputs.push(structured["output"]);
    return told().length >= 2;
  };
  // What a place has answered too late is unread again as soon as it hears so.
  await until(readBoth, "the output of both");

  expect(waited.structured["yielded"]).toBe("deadline");
  expect(told()).toHaveLength(2);
});

test("what was not delivered is unread again at its place", async () => {
  const { sessions } = span();
  const start = { command: "echo once", ...sh };
  const on = { kind: "start", start } as const;
  const wait = { kind: "output", deadlineMs: 20_000 } as const;
  const first = await sessions.turn({ caller: CALLER, place: "build", on, wait, read: { kind: "unread" } });
  if (!first.receipt) throw new Error("No receipt");
  sessions.giveBack({ caller: CALLER, receipt: first.receipt });

  const again = await sessions.turn({
    caller: CALLER,
    on: { kind: "session", key: keyOf(first.session) },
    read: { kind: "unread" },
  });
  if (!again.receipt) throw new Error("No receipt");
  sessions.acknowledge({ caller: CALLER, receipt: again.receipt });

  expect([first.output?.text, again.output?.text]).toEqual(["once\n", "once\n"]);
  expect(again.receipt.place).toBe("build");
});
