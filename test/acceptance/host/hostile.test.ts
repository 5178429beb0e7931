/** Clients that do not behave: the host answers or lets them go, and everybody else is served as before. */
import { expect, test } from "vitest";
import { PROTOCOL } from "../../../src/host/protocol.ts";
import { runCommand, startSession, waitForSession } from "../../../src/service/turn/simple-turns.ts";
import { pidOf } from "../../support/host/host.ts";
import { HELLO, openHost, RawHostClient } from "../../support/host/raw-host-client.ts";
import { codeOf, errorOf, until } from "../../support/sessions.ts";

const plain = { login: false, shell: "/bin/sh" };

test.each<{ readonly what: string; readonly line: string; readonly code: number; readonly says: string }>([
  { what: "what is not JSON", line: "\x00\xff{{{", code: -32700, says: "not JSON" },
  { what: "a list", line: "[]", code: -32600, says: "not a JSON-RPC 2.0 request" },
  {
    what: "an id that is no number",
    line: '{"jsonrpc":"2.0","id":{},"method":"list"}',
    code: -32600,
    says: "integer id",
  },
  { what: "a line of 10 MB", line: "x".repeat(10_000_000), code: -32600, says: "more than 8388608 bytes" },
])("$what is answered with an error, and the next message is heard", async ({ line, code, says }) => {
  const { directory } = await openHost();
  const raw = new RawHostClient(directory);
  raw.send(HELLO);

  raw.send(line);
  raw.send({ jsonrpc: "2.0", id: 7, method: "running", params: {} });

  expect(await raw.answer(7)).toEqual({ jsonrpc: "2.0", id: 7, result: [] });
  expect((await raw.answer(null)).error).toMatchObject({ code, message: expect.stringContaining(says) });
});

test("a call that is too long for a host is refused, and the next one is served", async () => {
  const { client } = await openHost();
  const { id } = await startSession(client, { command: "exec cat", ...plain });
  const long = "x".repeat(9_000_000);

  const refusals = await Promise.all([
    errorOf(client.write(id, long)),
    errorOf(client.write(id, "ä".repeat(4_500_000))),
    errorOf(runCommand(client, { command: `: ${long}`, shell: "main", caller: "test" })),
    errorOf(
      client
        .output(id, { from: 0, what: long } as object)
        [Symbol.asyncIterator]()
        .next(),
    ),
  ]);

  expect(refusals.map(({ code }) => code)).toEqual(Array(4).fill("BAD_OPTION"));
  expect(refusals[0]?.message).toMatch(
    /^A call of write has 90000\d\d bytes, more than the 8388608 that a host accepts\. /,
  );
  expect(await client.running()).toEqual([{ id, name: null, place: null, isIdle: false }]);
});

test("whoever calls before hello is told, and let go", async () => {
  const { directory, client } = await openHost();
  const raw = new RawHostClient(directory);

  raw.send({
    jsonrpc: "2.0",
    id: 1,
    method: "turn",
    params: { caller: "x", on: { kind: "start", start: { command: "echo never" } } },
  });

  expect((await raw.answer(1)).error?.message).toBe('"turn" came before hello. Send hello first.');
  await until(() => raw.isClosed, "it is let go");
  expect(await client.list({ ended: true })).toEqual([]);
});

test.each([
  ["older", 0],
  ["newer", PROTOCOL + 1],
  ["newer", undefined],
])("a client of an %s protocol (%j) is told what to do", async (which, protocol) => {
  const { directory } = await openHost();
  const raw = new RawHostClient(directory);

  raw.send({ ...HELLO, params: { protocol, version: "9.9.9" } });
  const { error } = await raw.answer(1);

  expect(error?.data?.code).toBe("HOST_MISMATCH");
  expect(error?.message).toContain(`this client is limpet 9.9.9 with protocol ${protocol}: ${which}.`);
  expect(error?.message).toContain("limpet host stop");
  await until(() => raw.isClosed, "it is let go");
});

test("a host can be asked for its status and to stop in any language", async () => {
  const { directory, client } = await openHost();
  const pid = await pidOf(client);
  const raw = new RawHostClient(directory);

  raw.send({ jsonrpc: "2.0", id: 1, method: "status" });
  expect((await raw.answer(1)).result).toMatchObject({ pid, sessions: 0, clients: 2 });
  raw.send({ jsonrpc: "2.0", id: 2, method: "stop" });

  expect((await raw.answer(2)).result).toBeNull();
  await until(() => raw.isClosed, "the host ends");
});

test("methods and arguments that make no sense are refused, one by one", async () => {
  const { directory, client } = await openHost();
  const { id } = await startSession(client, { command: "exec cat", ...plain });
  const raw = new RawHostClient(directory);
  raw.send(HELLO);
  const on = { kind: "session", key: id };
  const turn = { caller: "x", on };
  const requests: readonly [method: string, params: unknown, code: string, field: string][] = [
    ["constructor", {}, "HOST_MISMATCH", "constructor"],
    ["__proto__", {}, "HOST_MISMATCH", "__proto__"],
    ["forClient", { client: "x" }, "HOST_MISMATCH", "forClient"],
    ["write", "no object", "BAD_OPTION", "params"],
    ["write", [], "BAD_OPTION", "params"],
    ["write", {}, "BAD_OPTION", "key"],
    ["write", { key: id, input: 5 }, "BAD_OPTION", "input"],
    ["write", { key: id, input: [{ kind: "key" }] }, "BAD_OPTION", "input"],
    ["turn", null, "BAD_OPTION", "caller"],
    ["turn", { caller: "x" }, "BAD_OPTION", "on"],
    ["turn", { caller: 5, on }, "BAD_OPTION", "caller"],
    ["turn", { caller: "x", on: { kind: "nothing" } }, "BAD_OPTION", "on.kind"],
    ["turn", { ...turn, on: { kind: "start", start: { command: "true", env: 5 } } }, "BAD_OPTION", "on.start.env"],
    ["turn", { ...turn, read: { kind: "unread", maxTokens: "many" } }, "BAD_OPTION", "read.maxTokens"],
    ["turn", { ...turn, read: { kind: "search", pattern: "(" } }, "BAD_PATTERN", "("],
    ["turn", { ...turn, wait: { kind: "output", until: { $regexp: ["(", "q"] } } }, "BAD_OPTION", "regular expression"],
    ["turn", { ...turn, wait: { kind: "output", deadlineMs: -1 } }, "BAD_OPTION", "deadlineMs"],
    ["turn", { ...turn, wait: { kind: "output", deadline: 5 } }, "BAD_OPTION", "deadline"],
    ["resize", { key: id, size: { cols: "x" } }, "BAD_OPTION", "size.cols"],
    ["output", { key: 999 }, "SESSION_NOT_FOUND", "999"],
    ["output", { key: id, from: -1 }, "BAD_OPTION", "from"],
    ["turn", { ...turn, read: { kind: "text", to: 0.5 } }, "BAD_OPTION", "read.to"],
    [
      "acknowledge",
      { caller: "x", receipt: { requestId: null, session: id, from: 0, to: 0.5 } },
      "BAD_OPTION",
      "receipt.to",
    ],
    ["close", { key: id, force: "yes" }, "BAD_OPTION", "force"],
  ];

  for (const [index, [method, params, code, field]] of requests.entries()) {
    raw.send({ jsonrpc: "2.0", id: 100 + index, method, params });
    const { error } = await raw.answer(100 + index);
    expect([method, error?.data?.code, error?.message]).toEqual([method, code, expect.stringContaining(field)]);
  }

  const deep = `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`;
  raw.send(`{"jsonrpc":"2.0","id":99,"method":"turn","params":{"caller":"x","on":${deep}}}`);
  expect((await raw.answer(99)).error?.message).toContain("nested more than 32 levels");

  expect(await client.running()).toEqual([{ id, name: null, place: null, isIdle: false }]);
});

test("an id that is in use is refused, and its first call is answered", async () => {
  const { directory, client } = await openHost();
  const { id } = await startSession(client, { command: "exec cat", ...plain });
  const raw = new RawHostClient(directory);
  raw.send(HELLO);
  await raw.answer(1);
  const on = { kind: "session", key: id };

  const params = { caller: "x", on, wait: { kind: "output", onInput: false } };
  raw.send({ jsonrpc: "2.0", id: 5, method: "turn", params });
  raw.send({ jsonrpc: "2.0", id: 5, method: "running", params: {} });

  expect((await raw.answer(5)).error?.message).toBe("The id 5 is in use. Use a new id for each call.");
  raw.messages.length = 0;
  raw.send({ jsonrpc: "2.0", method: "cancel", params: { id: 5 } });
  expect((await raw.answer(5)).error).toBeDefined();
});

test("a call that is given up rejects with its reason at once, and the session goes on", async () => {
  const { client } = await openHost();
  const { id } = await startSession(client, { command: "exec cat", ...plain });
  const stop = new AbortController();
  const reason = new Error("enough");
  const waiting = waitForSession(client, { keys: [id], onInput: false, signal: stop.signal }).catch(
    (error: unknown) => error,
  );

  stop.abort(reason);

  expect(await waiting).toBe(reason);
  expect(await client.running()).toEqual([{ id, name: null, place: null, isIdle: false }]);
});

test("an argument that is given as undefined is one that is left out", async () => {
  const { client } = await openHost();
  const { id } = await startSession(client, { command: "exec cat", ...plain });

  await client.write(id, "typed\n", undefined);

  expect(await waitForSession(client, { keys: [id], until: "typed\r?\ntyped", onInput: false })).toMatchObject({
    result: { reason: "matched" },
  });
});

test("an error crosses the wire with its code, its message and its count", async () => {
  const { client } = await openHost();
  const { id } = await startSession(client, { command: "stty -icanon; echo ready; sleep 1000", ...plain });
  // Before that, so long a line is refused for another reason.
  await waitForSession(client, { keys: [id], until: "ready", onInput: false });

  expect(await codeOf(client.find("nobody"))).toBe("SESSION_NOT_FOUND");
  const error = await errorOf(client.write(id, "x".repeat(2_000_000)));
  expect([error.code, error.undeliveredBytes]).toEqual(["INPUT_BACKLOG", 2_000_000]);
});
