import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { INITIALIZE, RawClient } from "../../support/mcp.ts";
import { pidsWith, uniqueSeconds } from "../../support/processes.ts";
import { until } from "../../support/sessions.ts";

const list = { method: "tools/list" };

async function stillServes(client: RawClient): Promise<void> {
  const answer = await client.tool(`still ${Math.random()}`, "exec_command", { cmd: "echo well", login: false });
  expect(answer.result).toMatchObject({ isError: false, structuredContent: { output: "well\n" } });
}

describe("one server, whatever it is sent", () => {
  let client: RawClient;
  beforeAll(async () => {
    client = new RawClient();
    await client.initialize();
  });
  afterAll(() => client[Symbol.asyncDispose]());

  test.each([
    { what: "garbage", line: "\u0000\u0001 what { is this", code: -32700, says: "not JSON" },
    { what: "half a message", line: '{"jsonrpc":"2.0","id":', code: -32700, says: "not JSON" },
    { what: "a batch", line: `[${JSON.stringify({ jsonrpc: "2.0", id: 1, ...list })}]`, code: -32600, says: "Batches" },
    { what: "a number", line: "42", code: -32600, says: "JSON object" },
    { what: "no version", line: '{"id":null,"method":"tools/list"}', code: -32600, says: '"jsonrpc": "2.0"' },
    {
      what: "an id of null",
      line: '{"jsonrpc":"2.0","id":null,"method":"ping"}',
      code: -32600,
      says: "The id is not a string or an integer",
    },
    {
      what: "an id that is an object",
      line: '{"jsonrpc":"2.0","id":{},"method":"ping"}',
      code: -32600,
      says: "The id is not a string or an integer",
    },
  ])("$what is answered with an error and the server goes on", async ({ line, code, says }) => {
    client.send(line);

    const { error } = await client.answer(({ id, error }) => id === null && error !== undefined);
    expect(error?.code).toBe(code);
    expect(error?.message).toContain(says);
    await stillServes(client);
  });

  test.each([
    { what: "no method", message: { id: 7 }, says: "no method" },
    { what: "a method that is a number", message: { id: 7, method: 5 }, says: "The method is not a string" },
    {
      what: "a list of parameters",
      message: { id: 7, method: "tools/list", params: [1] },
      says: "params is not an object",
    },
    {
      what: "metadata that is a number",
      message: { id: 7, method: "tools/list", params: { _meta: 5 } },
      says: "not an MCP message",
    },
    { what: "an unknown method", message: { id: 7, method: "tools/destroy" }, says: "not found" },
    {
      what: "an unknown tool",
      message: { id: 7, method: "tools/call", params: { name: "rm" } },
      says: 'The tool "rm" does not exist',
    },
    {
      what: "a text in place of arguments",
      message: { id: 7, method: "tools/call", params: { name: "list_sessions", arguments: "{}" } },
      says: "arguments is not an object. Send named arguments.",
    },
    { what: "a tool without a name", message: { id: 7, method: "tools/call", params: {} }, says: "name" },
  ])("$what is answered under its id", async ({ message, says }) => {
    const { error } = await client.ask(message);

    expect(error?.message).toContain(says);
    await stillServes(client);
  });

  test.each(["__proto__", "constructor", "toString", "../../etc/passwd", "\u0000", "💥".repeat(1_000)])(
    "the session name %j is unknown and nothing more",
    async (name) => {
      const { result } = await client.tool(1, "write_stdin", { session_id: name, chars: "x" });

      expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: "SESSION_NOT_FOUND" } } });
      await stillServes(client);
    },
  );
});

const padded = { padding: "x".repeat(10 * 1024 * 1024) };

test("a line of 10 MB is refused without an id, and the next one is read", async () => {
  await using client = new RawClient();
  await client.initialize();

  client.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: padded });

  const { error } = await client.answer(({ id }) => id === null);
  expect(error?.message).toContain("more than 8388608 bytes");
  await stillServes(client);
});

test("a call before initialize is refused, and initialize still possible", async () => {
  await using client = new RawClient();

  const { error } = await client.tool(1, "exec_command", { cmd: "echo early" });

  expect(error?.message).toContain("Send initialize first");
  expect((await client.ask(INITIALIZE)).result).toMatchObject({ serverInfo: { name: "limpet" } });
  await stillServes(client);
});

test("an id that is still in use is refused", async () => {
  await using client = new RawClient();
  await client.initialize();
  const call = { jsonrpc: "2.0", id: 5, method: "tools/call" };

  const calls = [
    { ...call, params: { name: "exec_command", arguments: { cmd: "cat", login: false, tty: false } } },
    { ...call, params: { name: "list_sessions", arguments: {} } },
  ];
  // In one write: the first is not answered before the second is read.
  client.send(calls.map((each) => JSON.stringify(each)).join("\n"));

  const { error } = await client.answer(({ id }) => id === 5);
  expect(error?.message).toContain("still running");
  await stillServes(client);
});

test("a session can be named __proto__", async () => {
  await using client = new RawClient();
  await client.initialize();

  await client.tool(1, "exec_command", { cmd: "cat", login: false, name: "__proto__" });
  const { result } = await client.tool(2, "write_stdin", { session_id: "__proto__", chars: "hi\n" });

  expect(result).toMatchObject({ isError: false, structuredContent: { name: "__proto__" } });
});

test("arguments with a __proto__ of their own change nothing", async () => {
  await using client = new RawClient();
  await client.initialize();

  client.send(
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_sessions","arguments":{"__proto__":{"ended":true}}}}',
  );

  expect(await client.answer(({ id }) => id === 1)).toBeDefined();
  await stillServes(client);
});

test("arguments of null are none", async () => {
  await using client = new RawClient();
  await client.initialize();

  client.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_sessions", arguments: null } });
  client.send({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "exec_command", arguments: null } });

  expect((await client.answer(({ id }) => id === 1)).result).toMatchObject({ isError: false });
  const { result } = await client.answer(({ id }) => id === 2);
  expect(result).toMatchObject({ isError: true, content: [{ text: "BAD_OPTION: cmd is missing. Pass a string." }] });
});

test("1,000 unknown sessions are 1,000 errors", async () => {
  await using client = new RawClient();
  await client.initialize();
  const ids = Array.from({ length: 1_000 }, (_, index) => index + 1);

  const answers = await Promise.all(
    ids.map((id) => client.tool(id, "write_stdin", { session_id: 1_000_000 + id, chars: "x" })),
  );

  expect(answers.filter(({ result }) => result?.["isError"] === true)).toHaveLength(1_000);
  await stillServes(client);
});

test("answers to questions that nobody asked are passed over", async () => {
  await using client = new RawClient();
  await client.initialize();

  client.send({ jsonrpc: "2.0", id: 99, result: {} });
  client.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 12_345 } });
  client.send({ jsonrpc: "2.0", method: "notifications/made-up" });

  await stillServes(client);
});

test("a closed stdin ends the server and all its sessions", async () => {
  const seconds = uniqueSeconds();
  const client = new RawClient();
  await client.initialize();
  await client.tool(1, "exec_command", { cmd: `sleep ${seconds} & sleep ${seconds}`, login: false, yield_time_ms: 0 });
  await client.tool(2, "exec_command", {
    cmd: `trap '' HUP TERM; sleep ${seconds}`,
    login: false,
    yield_time_ms: 0,
  });
  await until(() => pidsWith(`sleep\0${seconds}`).length === 3, "all sleepers run");

  client.child.stdin.end();

  await client.ended;
  expect(client.child.exitCode).toBe(0);
  expect(pidsWith(`sleep\0${seconds}`)).toEqual([]);
});

test("a client that is gone while a call waits leaves nothing behind", async () => {
  const seconds = uniqueSeconds();
  const client = new RawClient();
  await client.initialize();
  client.send({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "exec_command", arguments: { cmd: `sleep ${seconds}`, login: false } },
  });
  await until(() => pidsWith(`sleep\0${seconds}`).length > 0, "it runs");

  client.child.stdout.destroy();
  client.child.stdin.destroy();

  await client.ended;
  expect(pidsWith(`sleep\0${seconds}`)).toEqual([]);
});
