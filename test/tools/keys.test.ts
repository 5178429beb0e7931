/** Keys arrive one by one in programs that take what they read at once for one key or a paste. */
import { expect, test } from "vitest";
import { skipTestWithout } from "../support/needs.ts";
import { skipWithoutNode } from "../support/places/is-at-place.ts";
import { until } from "../support/sessions.ts";
import { openTools, type Toolbox } from "../support/tools.ts";
import { LONG_MS, testProgram } from "../support/watching.ts";

const NODE = `exec ${process.execPath} ${testProgram("takes-chunks.mjs")}`;
const PYTHON = `exec python3 ${testProgram("takes-chunks.py")}`;
const PROGRAMS = [
  ["a program with an event loop", NODE],
  ["one that takes Enter within 120 ms for a paste", `${NODE} 120`],
  ["one that waits in read", `${PYTHON} read`],
  ["one that waits in select", `${PYTHON} select`],
  ["one that waits in poll", `${PYTHON} poll`],
] as const;

async function start(tools: Toolbox, cmd: string): Promise<number> {
  if (cmd.startsWith(PYTHON)) skipTestWithout("python3");
  if (cmd.startsWith(NODE)) skipWithoutNode();
  const { structured } = await tools.call("exec_command", {
    cmd,
    shell: "/bin/sh",
    login: false,
    until: "ready",
    yield_time_ms: LONG_MS,
  });
  return structured["session_id"];
}

async function submitted(tools: Toolbox, cmd: string, typed: object): Promise<string> {
  const session_id = await start(tools, cmd);
  const { structured } = await tools.call("write_stdin", {
    session_id,
    ...typed,
    until: "submitted .*\\n",
    yield_time_ms: LONG_MS,
  });
  return /submitted (.*)/.exec(structured["output"])?.[1]?.trim() ?? structured["output"];
}

test.each(PROGRAMS)("text and Enter in one call submit in %s", async (_, cmd) => {
  await using tools = openTools();

  expect(await submitted(tools, cmd, { chars: "hello there", keys: ["Enter"] })).toBe('"hello there" apple');
});

test.each(PROGRAMS)("Down and Enter choose the second item, and Down twice the third, in %s", async (_, cmd) => {
  await using tools = openTools();

  expect(await submitted(tools, cmd, { keys: ["Down", "Enter"] })).toBe('"" banana');
  expect(await submitted(tools, cmd, { keys: ["Down", "Down", "Enter"] })).toBe('"" cherry');
});

test.each(PROGRAMS)("single letters and Enter submit in %s", async (_, cmd) => {
  await using tools = openTools();

  expect(await submitted(tools, cmd, { keys: ["o", "k", "Enter"] })).toBe('"ok" apple');
});

test("the screen that a call returns shows what became of the key", async () => {
  await using tools = openTools();
  const session_id = await start(tools, `${NODE} 0 40`);

  const first = await tools.call("write_stdin", { session_id, keys: ["Down"], screen: true });
  const second = await tools.call("write_stdin", { session_id, keys: ["Down"], screen: true });

  const chosen = [first.text, second.text].map((text) => [...text.matchAll(/\[(apple|banana|cherry)\]/g)].at(-1)?.[1]);
  expect(chosen).toEqual(["banana", "cherry"]);
});

test("Escape and a letter are two keys", async () => {
  await using tools = openTools();

  const answer = await submitted(tools, `${PYTHON} read`, { keys: ["Esc", "O", "Enter"] });

  expect(answer).toBe('"O" apple');
});

test("keys for a program that never reads are all sent after a while, and the call keeps its time", async () => {
  await using tools = openTools();
  const cmd = "stty raw -echo; echo ready; exec sleep 1000";
  const session_id = await start(tools, cmd);

  const { text } = await tools.call("write_stdin", {
    session_id,
    chars: "a",
    keys: ["Down", "Enter"],
    yield_time_ms: 0,
  });
  await until(() => tools.registry.get(session_id).queuedInputBytes === 0, "all is sent");
  const later = await tools.call("wait_for", { session_ids: [session_id], deadline_ms: 0 });

  expect(text).toContain("Not read yet: 5 bytes\n");
  expect(later.text).toContain("Not read yet: 5 bytes\n");
});
