/** What the agent seed's tests cover, against the profile that promises the same. */

import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { profiles } from "../../../src/tools/profiles.ts";
import { skipTestWithout } from "../../support/needs.ts";
import { outputHas, until } from "../../support/sessions.ts";
import { openTools } from "../../support/tools.ts";
import { exec } from "../../support/unified-exec.ts";
import { LONG_MS } from "../../support/watching.ts";

test("names, defaults and limits are the seed's", () => {
  const { tools, registry } = profiles.unified;
  const defaults = tools.map(({ name, inputSchema }) => {
    const properties = inputSchema["properties"] as Record<string, { default?: unknown }>;
    return [name, Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, value.default ?? "-"]))];
  });

  expect(Object.fromEntries(defaults)).toEqual({
    unified_exec: {
      cmd: "-",
      yield_time_ms: 100,
      max_output_tokens: 10_000,
      workdir: "-",
      shell: "-",
      login: false,
    },
    write_stdin: { session_id: "-", chars: "-", yield_time_ms: 100, max_output_tokens: 10_000 },
    close_pty_session: { session_id: "-", force: false },
    list_pty_sessions: {},
  });
  expect(registry).toEqual({ maxSessions: 10, idleMs: 300_000 });
});

test("a simple command gives its output and its end", async () => {
  await using tools = openTools("unified");

  expect(await exec(tools, "echo hello", { yield_time_ms: 10_000 })).toEqual({
    success: true,
    session_id: expect.stringMatching(/^\d+$/),
    output: "hello\r\n",
    running: false,
    exit_code: 0,
    truncated: false,
  });
});

test.each(["cat", "exec sleep 1000"])("a long-running %s is left running", async (cmd) => {
  await using tools = openTools("unified");

  expect(await exec(tools, cmd)).toMatchObject({ success: true, running: true, exit_code: null });
});

test("a Python REPL answers", async () => {
  skipTestWithout("python3");
  await using tools = openTools("unified");
  const { session_id } = await exec(tools, "python3 -q -i", { yield_time_ms: LONG_MS });

  const { structured } = await tools.call("write_stdin", {
    session_id,
    chars: "print(2 + 2)\n",
    yield_time_ms: LONG_MS,
  });
  expect(structured).toMatchObject({ success: true, session_id, running: true });
  expect(structured["output"]).toMatch(/^4\r?$/m);

  await tools.call("write_stdin", { session_id, chars: "exit()\n", yield_time_ms: LONG_MS });
  await until(() => tools.registry.list().length === 0, "it has ended");
  const { structured: last } = await tools.call("write_stdin", { session_id, chars: "" });
  expect(last).toMatchObject({ running: false, exit_code: 0 });
});

test("death by a signal is said", async () => {
  await using tools = openTools("unified");

  const answer = await exec(tools, "kill -KILL $$", { yield_time_ms: 10_000 });

  expect(answer).toMatchObject({ success: true, running: false, exit_code: null, signal: "SIGKILL" });
});

test("empty chars wait for their whole time, although the program waits for input", async () => {
  await using tools = openTools("unified");
  const { session_id } = await exec(tools, "cat", { yield_time_ms: LONG_MS });
  const session = tools.registry.get(session_id);

  const polling = tools.call("write_stdin", { session_id, chars: "", yield_time_ms: LONG_MS });
  await session.write("late\n");
  await outputHas(session, "late\r\nlate\r\n");
  await until(async () => (await session.waitingFor()) === "line", "it waits again");
  // Only the end of the program ends such a call before its time.
  await session.write("\u0004");

  expect((await polling).structured).toMatchObject({ running: false, output: "late\r\nlate\r\n" });
});

test("every tool and every parameter is described", () => {
  for (const { description, inputSchema } of profiles.unified.tools) {
    const properties = Object.values(inputSchema["properties"] as Record<string, { description?: string }>);
    expect([description, ...properties.map((property) => property.description)]).not.toContain(undefined);
  }
});

test("output beyond the budget is cut, and said to be", async () => {
  await using tools = openTools("unified");

  const cut = await exec(tools, "seq 1 10000", { max_output_tokens: 50, yield_time_ms: 10_000 });

  expect(cut["truncated"]).toBe(true);
  expect(Buffer.byteLength(cut["output"])).toBeLessThanOrEqual(200);
});

test("the working directory is the one asked for", async () => {
  await using tools = openTools("unified");
  const workdir = await realpath(await mkdtemp(join(tmpdir(), "limpet-unified-")));
  try {
    const { output } = await exec(tools, "pwd", { workdir, yield_time_ms: 10_000 });
    expect(output).toBe(`${workdir}\r\n`);
  } finally {
    await rm(workdir, { recursive: true });
  }
});

test("escape codes are preserved, and repeated lines too", async () => {
  await using tools = openTools("unified");

  const { output } = await exec(tools, "printf '\\033[31mred\\033[0m\\n'; printf 'a\\na\\na\\na\\n'", {
    yield_time_ms: 10_000,
  });

  expect(output).toBe(`\u001b[31mred\u001b[0m\r\n${"a\r\n".repeat(4)}`);
});

test("a character that comes in two parts is given whole, in one piece of output or the next", async () => {
  await using tools = openTools("unified");
  const cmd = "stty -echo; printf 'a\\303'; read x; printf '\\251z'";
  const first = await exec(tools, cmd, { yield_time_ms: 10_000 });

  const { structured } = await tools.call("write_stdin", {
    session_id: first["session_id"],
    chars: "\n",
    yield_time_ms: 10_000,
  });

  expect([first["output"], structured["output"]]).toEqual(["a", "éz"]);
});

test("an ended program cannot be written to, and a missing parameter is named", async () => {
  await using tools = openTools("unified");
  const { session_id } = await exec(tools, "true", { yield_time_ms: 10_000 });

  expect(JSON.parse(await tools.refusal("write_stdin", { session_id, chars: "x" }))["success"]).toBe(false);
  expect(JSON.parse(await tools.refusal("unified_exec", {}))).toEqual({
    success: false,
    error: "cmd is missing. Pass a string.",
  });
});
