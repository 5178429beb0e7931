import { expect, test } from "vitest";
import { startSession, untilExited } from "../../src/service/turn/simple-turns.ts";
import type { ToolResult } from "../../src/tools/tool.ts";
import { openTools } from "../support/tools.ts";

test("a session that is closed while all are listed keeps no other from being listed", async () => {
  await using tools = openTools();
  const { sessions } = tools;
  const [stays, goes] = [
    await startSession(sessions, { command: "exec cat" }),
    await startSession(sessions, { command: "true" }),
  ];
  await untilExited(sessions, goes.id, new AbortController().signal);

  const [, listed] = await Promise.all([sessions.close(goes.id, { force: true }), sessions.list({ ended: true })]);

  expect(listed.map(({ id }) => id)).toContain(stays.id);
});

const plain = { login: false, shell: "/bin/sh" };

function idsOf({ structured }: ToolResult): readonly number[] {
  return (structured["sessions"] as readonly { readonly session_id: number }[]).map(({ session_id }) => session_id);
}

test("a list shows what waits, then what runs, then what has ended", async () => {
  await using tools = openTools();
  await tools.call("exec_command", { cmd: "true", name: "over", ...plain });
  await tools.call("exec_command", { cmd: "echo up; exec sleep 1000", name: "busy", until: "up", ...plain });
  await tools.call("exec_command", { cmd: "printf 'Name? '; read x", name: "asks", ...plain });

  const { structured, text } = await tools.call("list_sessions", { ended: true });

  expect(structured["sessions"].map(({ name }: { readonly name: string }) => name)).toEqual(["asks", "busy", "over"]);
  expect(structured).not.toHaveProperty("more");
  expect(text.split("\n")).toHaveLength(3);
});

test("a list that is too long has pages, and every session is on one of them", async () => {
  await using tools = openTools();
  const long = `exec sleep 1000 # ${"世".repeat(200)}`;
  const started = await Promise.all(
    Array.from({ length: 30 }, () => tools.call("exec_command", { cmd: long, yield_time_ms: 0, ...plain })),
  );
  const inOrder = (ids: readonly number[]) => ids.toSorted((one, other) => one - other);

  const first = await tools.call("list_sessions");
  const second = await tools.call("list_sessions", { from: first.structured["next"] });

  const [shown, rest] = [idsOf(first), idsOf(second)];
  const counts = Object.values<number>(first.structured["more"]);
  expect(shown.length + counts.reduce((sum, count) => sum + count)).toBe(30);
  expect(first.text).toContain(`: continue with from=${shown.length}, or pass grep=`);
  expect(second.structured).not.toHaveProperty("more");
  expect(inOrder([...shown, ...rest])).toEqual(inOrder(started.map(({ structured }) => structured["session_id"])));
});

test("grep lists the lines that match, and from beyond the end says where the list ends", async () => {
  await using tools = openTools();
  for (const name of ["api", "web"]) {
    await tools.call("exec_command", { cmd: "echo up; exec sleep 1000", name, until: "up", ...plain });
  }
  const list = async (args: object) => (await tools.call("list_sessions", args)).text;

  expect(await list({ grep: "\\(api\\): running" })).toMatch(/^\d+ \(api\): running, [^\n]*$/);
  expect(await list({ grep: "nothing" })).toBe("No sessions. None of 2 matches grep.");
  expect(await list({ from: 5 })).toBe("The list ends at 2, before from=5");
  expect(await tools.refusal("list_sessions", { grep: "(" })).toMatch(/^BAD_PATTERN: /);
});

test("of many sessions that wait for input already, the refusal to wait names twenty and counts the others", async () => {
  await using tools = openTools();
  for (let count = 0; count < 22; count += 1) await tools.call("exec_command", { cmd: "read x", ...plain });

  const refused = await tools.refusal("wait_for");

  expect(refused).toMatch(/waiting for input, as reported before: (?:\d+, ){19}\d+ and 2 more\)/);
});
