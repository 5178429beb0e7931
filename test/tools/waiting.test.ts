import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { skipTestWithout } from "../support/needs.ts";
import { openTools, type Toolbox } from "../support/tools.ts";
import { temporaryDirectory } from "../support/watching.ts";

const plain = { login: false, shell: "/bin/sh" };
const SLEEPER = "exec sleep 1000";

/** By another caller unless it is named, so that whatever that saw already is still unread for the test. */
async function start(tools: Toolbox, cmd: string, name?: string, caller = "starter"): Promise<number> {
  const args = { cmd, ...(name === undefined ? {} : { name }), yield_time_ms: 0, ...plain };
  const { structured } = await tools.call("exec_command", args, { caller });
  return structured["session_id"];
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== "object" || address === null) throw new Error("No port");
  return address.port;
}

test.each([
  { event: "exited", cmd: "sleep 0.05; exit 7", args: {}, also: { running: false, exit_code: 7 } },
  { event: "matched", cmd: `sleep 0.05; echo now; ${SLEEPER}`, args: { until: "no.\\n" }, also: { output: "now\n" } },
  { event: "input", cmd: "sleep 0.05; read x", args: {}, also: { waiting_for: "line" } },
  { event: "quiet", cmd: SLEEPER, args: { quiet_ms: 30 }, also: { running: true } },
  { event: "quiet", cmd: SLEEPER, args: { events: ["quiet"] }, also: { running: true } },
  { event: "deadline", cmd: SLEEPER, args: { deadline_ms: 30 }, also: { running: true } },
  { event: "deadline", cmd: SLEEPER, args: { deadline_ms: 0 }, also: { running: true } },
])("wait_for ends with $event, given $args", async ({ event, cmd, args, also }) => {
  await using tools = openTools();
  const id = await start(tools, cmd, "watched");

  const { text, structured } = await tools.call("wait_for", { session_ids: [id], ...args });

  expect(structured).toMatchObject({ session_id: id, name: "watched", yielded: event, ...also });
  expect(text.includes("\nDeadline: what you waited for did not happen\n")).toBe(event === "deadline");
});

test("a wait that its client cuts short is told so, and of no deadline", async () => {
  await using tools = openTools();
  const id = await start(tools, SLEEPER, "watched");

  const { text } = await tools.call("wait_for", { session_ids: [id], deadline_ms: 60_000 }, { longestWaitMs: 20 });

  expect(text).toContain("\nStill waiting: ");
  expect(text).not.toContain("Deadline");
});

test("without input among the events, a program that waits for it does not end the wait", async () => {
  await using tools = openTools();
  const id = await start(tools, "read x", "asker");
  await tools.call("wait_for", { session_ids: [id] }, { caller: "starter" });

  const { structured } = await tools.call("wait_for", { session_ids: [id], events: [], deadline_ms: 150 });

  expect(structured).toMatchObject({ yielded: "deadline", waiting_for: "line" });
});

test.each([{ by: "its number" }, { by: "any" }])(
  "wait_for tells when a port is listened on, asked for $by",
  async ({ by }) => {
    skipTestWithout("python3");
    await using tools = openTools();
    const port = await freePort();
    await start(tools, `sleep 0.05; exec python3 -m http.server ${port} --bind 127.0.0.1`, "web", "test");
    const args = by === "any" ? { events: ["listening"] } : { port };

    const { text, structured } = await tools.call("wait_for", { ...args, deadline_ms: 20_000 });

    expect(structured).toMatchObject({ yielded: "listening", running: true });
    expect(text).toContain(`\nListening on 127.0.0.1 port ${port}\n`);
    const { structured: listed } = await tools.call("list_sessions");
    expect(listed["sessions"][0].listening).toEqual([{ address: "127.0.0.1", port }]);
  },
);

test("of several sessions the first that has something to tell ends the wait; the others keep what they have", async () => {
  await using tools = openTools();
  const slow = await start(tools, "echo slow; exec sleep 1000", "slow");
  const asker = await start(tools, "printf 'Sure? '; read x; echo $x", "asker");
  const other = await start(tools, "echo other; exec sleep 1000", "other");

  const first = await tools.call("wait_for", { session_ids: ["slow", asker, `${other}`] });

  expect(first.structured).toMatchObject({ session_id: asker, yielded: "input", output: "Sure? " });
  expect(first.text).toContain(`Still running: ${slow} (slow), ${other} (other)\n`);
  const left = await tools.call("wait_for", { session_ids: [slow], until: "slow\\n" });
  expect(left.structured).toMatchObject({ yielded: "matched", output: "slow\n" });
});

test("what else runs is one line, however much it is", async () => {
  await using tools = openTools();
  const ids = await Promise.all(Array.from({ length: 23 }, () => start(tools, SLEEPER)));
  const [first, ...others] = ids.sort((one, other) => one - other);

  const { text } = await tools.call("write_stdin", { session_id: first });

  expect(text).toContain(`\nStill running: ${others.slice(0, 20).join(", ")} and 2 more: list_sessions\n`);
});

test("without ids all running sessions are waited for, and ended ones are not", async () => {
  await using tools = openTools();
  await tools.call("exec_command", { cmd: "true", ...plain });
  await start(tools, SLEEPER, "sleeper", "test");
  const go = join(temporaryDirectory(), "go");
  const id = await start(tools, `until [ -e ${go} ]; do sleep 0.05; done; exit 5`, "job", "test");
  writeFileSync(go, "");

  const { structured } = await tools.call("wait_for");

  expect(structured).toMatchObject({ session_id: id, yielded: "exited", exit_code: 5 });
});

test("an ended session asked for by id is told at once", async () => {
  await using tools = openTools();
  const { structured: ended } = await tools.call("exec_command", { cmd: "exit 4", ...plain });

  const { structured } = await tools.call("wait_for", { session_ids: [ended["session_id"]] });

  expect(structured).toMatchObject({ yielded: "exited", exit_code: 4, running: false });
});

test("one unknown id among several refuses the whole wait, and names it", async () => {
  await using tools = openTools();
  const id = await start(tools, SLEEPER, "sleeper");

  expect(await tools.refusal("wait_for", { session_ids: [id, 999_999] })).toBe(
    `SESSION_NOT_FOUND: No session 999999 (open: ${id} "sleeper"). Use one of these, or open a new one.`,
  );
});

test("a pattern that no engine can search in bounded time is refused by every tool that takes one", async () => {
  await using tools = openTools();
  await start(tools, SLEEPER, "sleeper");

  for (const [tool, args] of [
    ["wait_for", { until: "(a)\\1" }],
    ["write_stdin", { session_id: "sleeper", chars: "", until: "a(?!b)" }],
    ["exec_command", { cmd: "true", until: "(?<=a)b", ...plain }],
    ["read_output", { session_id: "sleeper", grep: "(a)\\1" }],
  ] as const) {
    expect(await tools.refusal(tool, args)).toMatch(/^BAD_PATTERN: The pattern ".*" .* bounded time\. /);
  }
});

test("a pattern that is refused starts no program", async () => {
  await using tools = openTools();

  await tools.refusal("exec_command", { cmd: SLEEPER, until: "(", ...plain });

  expect(tools.registry.list({ ended: true })).toEqual([]);
});
