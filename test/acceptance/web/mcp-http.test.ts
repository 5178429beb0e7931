/** Several clients of the HTTP endpoint: what each may do, and what is its own. */
import { describe, expect, test } from "vitest";
import { hostAt, hostDirectory } from "../../support/host/host.ts";
import { type Era, INITIALIZE } from "../../support/mcp.ts";
import { pidsWith, uniqueSeconds } from "../../support/processes.ts";
import { until } from "../../support/sessions.ts";
import { connectHttp, RawSession, rawRequest, type ServedMcp, serveMcpHttp } from "../../support/web/mcp-http.ts";

const ERAS: readonly Era[] = ["legacy", "2026-07-28"];

async function serveHost(): Promise<ServedMcp> {
  return await serveMcpHttp({ sessions: hostAt(hostDirectory()), structured: true });
}

describe.each(ERAS)("in the protocol %s", (era) => {
  test("two tokens have their own shell and their own unread output", async () => {
    const { url } = await serveHost();
    await using alice = await connectHttp(url, { era });
    await using bob = await connectHttp(url, { era, token: "bob" });

    await alice.call("run", { command: "mine=alice" });
    await bob.call("run", { command: "mine=bob" });
    const { session_id: id } = await alice.structured("exec_command", { cmd: "echo shown; exec cat", login: false });
    const readers = await Promise.all(
      [alice, bob, alice, bob].map((client) =>
        client.call("write_stdin", { session_id: id, chars: "", yield_time_ms: 0 }),
      ),
    );

    expect(await alice.call("run", { command: "echo is-$mine" })).toContain("is-alice");
    expect(await bob.call("run", { command: "echo is-$mine" })).toContain("is-bob");
    expect(readers.filter((text) => text.includes("shown"))).toHaveLength(1);
    await alice.call("close_session", { session_id: id, force: true });
  });

  test("a token to view lists and calls only what changes nothing", async () => {
    const { url } = await serveHost();
    await using alice = await connectHttp(url, { era });
    await using eve = await connectHttp(url, { era, token: "eve:view" });
    const { session_id: id } = await alice.structured("exec_command", { cmd: "echo shown; exec cat", login: false });

    const { tools } = await eve.client.listTools();

    expect(tools.map(({ name }) => name)).toEqual(["wait_for", "read_output", "read_screen", "list_sessions"]);
    expect(await eve.call("read_output", { session_id: id })).toContain("shown");
    for (const [name, args] of [
      ["run", { command: "id" }],
      ["exec_command", { cmd: "id" }],
      ["write_stdin", { session_id: id, chars: "x\n" }],
      ["resize_session", { session_id: id, cols: 90, rows: 20 }],
      ["close_session", { session_id: id }],
    ] as const) {
      await expect(eve.call(name, args)).rejects.toThrow(
        `This token can only view sessions, and ${name} changes something`,
      );
    }
    expect(await alice.call("list_sessions")).not.toContain("eve");
    await alice.call("close_session", { session_id: id, force: true });
  });

  test("a token that is revoked ends its streams and calls, and no program", async () => {
    const valid = new Set(["alice", "bob"]);
    const options = { sessions: hostAt(hostDirectory()), structured: true, isValid: (name: string) => valid.has(name) };
    const { url, endpoint } = await serveMcpHttp(options);
    const alice = await connectHttp(url, { era });
    await using bob = await connectHttp(url, { era, token: "bob" });
    const { session_id: id } = await alice.structured("exec_command", {
      cmd: "exec cat",
      login: false,
      yield_time_ms: 0,
    });
    const waiting = alice.call("wait_for", { session_ids: [id], events: ["exited"] });
    const ended = expect(waiting).rejects.toThrow();

    valid.delete("alice");
    endpoint.sweep();
    await alice.client.close();

    await ended;
    expect(await bob.structured("list_sessions", {})).toMatchObject({ sessions: [{ session_id: id, running: true }] });
    await bob.call("close_session", { session_id: id, force: true });
  });
});

test("two clients of one token at once have their own shells, and the next one continues for the one that left", async () => {
  const { url, connections } = await serveHost();
  const first = await connectHttp(url);
  await using second = await connectHttp(url);
  await first.call("run", { command: "mine=first" });
  await second.call("run", { command: "mine=second" });

  expect(await first.call("run", { command: "echo is-$mine" })).toContain("is-first");
  expect(await second.call("run", { command: "echo is-$mine" })).toContain("is-second");
  await first.transport.terminateSession();
  await first.client.close();
  await until(async () => (await connections()) <= 3, "the first one has left");
  await using third = await connectHttp(url);
  expect(await third.call("run", { command: "echo is-$mine" })).toContain("is-first");
});

test("a session ends with DELETE, and is its own token's only", async () => {
  const { url } = await serveHost();
  const alice = await RawSession.open(url);
  const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };

  const others = await rawRequest(url, {
    headers: { authorization: "Bearer bob", "mcp-session-id": alice.id },
    body: list,
  });
  const without = await rawRequest(url, { body: list });
  const own = await alice.request({ body: list });
  const deleted = await alice.request({ method: "DELETE" });
  const after = await alice.request({ body: list });

  expect([others.status, without.status, own.status, deleted.status, after.status]).toEqual([404, 400, 200, 200, 404]);
});

test("messages that belong to no call wait for a client that was away", async () => {
  const { url } = await serveHost();
  const session = await RawSession.open(url);
  const away = new AbortController();
  const stream = session.request({ method: "GET", signal: away.signal });
  away.abort();
  await stream;

  await session.tool(1, "exec_command", { cmd: "exec cat", login: false, yield_time_ms: 0 });
  const changed = "notifications/resources/list_changed";
  const { body } = await session.request({ method: "GET", cutAt: changed });

  expect(body).toContain(changed);
});

test("a cancelled call ends its stream", async () => {
  const { url } = await serveHost();
  const session = await RawSession.open(url);
  const seconds = uniqueSeconds();
  const waiting = session.tool(7, "run", { command: `sleep ${seconds}` });
  await until(() => pidsWith(`sleep\0${seconds}`).length > 0, "it runs");

  await session.request({
    body: { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7, reason: "enough" } },
  });

  expect((await waiting).body).toContain("The request was cancelled");
  await session.tool(9, "close_session", { session_id: "default", force: true });
});

describe("requests that nobody should send", () => {
  const deep = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}}`;
  const params = { name: "list_sessions", arguments: JSON.parse('{"__proto__":{"all":true}}') };

  test.each([
    ["a body of 5 MB", { body: "x".repeat(5_000_000) }, 413],
    ["a compressed body", { headers: { "content-encoding": "gzip" }, body: "x" }, 415],
    ["a form", { headers: { "content-type": "application/x-www-form-urlencoded" }, body: "a=b" }, 415],
    ["no JSON", { body: "{" }, 400],
    ["a batch", { body: [INITIALIZE] }, 400],
    ["nothing", { body: "" }, 400],
    ["deep JSON", { body: deep }, 400],
    ["an array of session ids", { headers: { "mcp-session-id": "a, b" }, body: INITIALIZE }, 404],
    ["another method", { method: "PUT", body: INITIALIZE }, 405],
  ])("%s is refused, and the next request is served", async (_, request, status) => {
    const { url } = await serveHost();

    const refused = await rawRequest(url, request);

    expect(refused.status).toBe(status);
    expect((await rawRequest(url, { body: INITIALIZE })).status).toBe(200);
  });

  test("__proto__ is an argument like any other", async () => {
    const { url } = await serveHost();
    const session = await RawSession.open(url);

    const { status, body } = await session.request({ body: { jsonrpc: "2.0", id: 1, method: "tools/call", params } });

    expect(status).toBe(200);
    expect(body).toContain("No sessions");
    expect(({} as Record<string, unknown>)["all"]).toBeUndefined();
  });
});
