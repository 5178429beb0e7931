/** `limpet mcp --http`: who is let in, and for how long. */
import { request } from "node:http";
import { homedir } from "node:os";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TokenFile } from "../../../src/web/tokens/token-file.ts";
import { openCli } from "../../support/cli.ts";
import { connectTo, INITIALIZE } from "../../support/mcp.ts";
import { pidsWith, uniqueSeconds } from "../../support/processes.ts";
import { until } from "../../support/sessions.ts";
import { type LimpetMcpHttp, startMcpHttp } from "../../support/web/limpet-mcp-http.ts";
import { answerText, RawSession } from "../../support/web/mcp-http.ts";

let server: LimpetMcpHttp;
beforeAll(async () => {
  server = await startMcpHttp(["--in-process", "--structured"]);
});
afterAll(() => server.close());

const HOUR_MS = 3_600_000;
const KEPT = { pid: () => -1, close: async () => undefined };

/** The status of an `initialize` request. */
function initialize(headers: Readonly<Record<string, string | string[]>>): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(server.url, {
      method: "POST",
      agent: false,
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
    });
    sent.on("response", (response) => resolve(response.resume().statusCode ?? 0));
    sent.on("error", reject);
    sent.end(JSON.stringify(INITIALIZE));
  });
}

test("only a token lets a client in, whatever else it sends", async () => {
  const token = await server.token("right");
  const bearer = `Bearer ${token}`;

  expect(await initialize({ authorization: bearer })).toBe(200);
  for (const [authorization, status] of [
    ["", 401],
    ["Bearer ", 401],
    [`Bearer ${token.slice(0, -1)}`, 401],
    [`Bearer ${token}x`, 401],
    [`Basic ${token}`, 401],
    ["Bearer eyJhbGciOiJub25lIn0.eyJhdWQiOiJodHRwOi8vZXhhbXBsZS5jb20ifQ.", 401],
  ] as const)
    expect(await initialize({ authorization }), authorization).toBe(status);
  // Without a token and without an origin, it may come from anywhere.
  expect(await initialize({})).toBe(403);
  expect(await initialize({ authorization: bearer, host: "evil.test" })).toBe(403);
  expect(await initialize({ authorization: bearer, origin: "http://evil.test" })).toBe(403);
  expect(await initialize({ authorization: bearer, "sec-fetch-site": "cross-site" })).toBe(403);
});

test("a token that is revoked ends its streams, and one that has expired lets nobody in", async () => {
  const token = await server.token("leaving");
  const session = await RawSession.open(server.url, token);
  const streaming = session.request({ method: "GET" });
  const seconds = uniqueSeconds();
  const waiting = session.tool(1, "run", { command: `sleep ${seconds}`, timeout_ms: 600_000 });
  await until(() => pidsWith(`sleep\0${seconds}`).length > 0, "the call is served");

  await server.limpet("token", "revoke", "leaving");

  expect(await initialize({ authorization: `Bearer ${token}` })).toBe(401);
  expect((await streaming).body).not.toContain("error");
  expect(answerText(await waiting, 1)).toBeUndefined();
  const yesterday = new TokenFile(server.state, () => Date.now() - 24 * HOUR_MS);
  const { token: old } = yesterday.create({ name: "old", scope: "control", forMs: HOUR_MS });
  expect(await initialize({ authorization: `Bearer ${old}` })).toBe(401);
});

test("two tokens have their own shells, and one to view changes nothing", async () => {
  const one = await server.token("one");
  const two = await server.token("two");
  const view = await server.token("view", "--scope", "view");
  await using first = await connectTo("2026-07-28", server.transport(one), KEPT);
  await using second = await connectTo("legacy", server.transport(two), KEPT);
  await using viewer = await connectTo("legacy", server.transport(view), KEPT);

  await first.call("run", { command: "mine=first" });
  await second.call("run", { command: "mine=second" });

  expect(await first.call("run", { command: "echo is-$mine" })).toContain("is-first");
  expect(await second.call("run", { command: "echo is-$mine" })).toContain("is-second");
  expect(await viewer.call("list_sessions")).toContain("first");
  await expect(viewer.call("run", { command: "id" })).rejects.toThrow("run changes something");
});

test("no program sees a token", async () => {
  const token = await server.token("secret");
  await using client = await connectTo("legacy", server.transport(token), KEPT);

  const shown = await client.call("run", {
    command: "env; cat /proc/$PPID/environ /proc/$PPID/cmdline | tr '\\0' '\\n'",
  });

  expect(shown).toContain("PATH=");
  expect(shown).not.toContain(token);
});

test("limpet web serves the same to tokens, beside its page", async () => {
  await using cli = openCli();
  const { base } = (await cli.json("web")) as { readonly base: string };
  try {
    const { stdout } = await cli.limpet(["token", "create", "agent"]);
    const url = new URL(`http://127.0.0.1:${new URL(base).port}/mcp`);
    const headers = { authorization: `Bearer ${stdout.trim()}` };
    const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers } });
    await using client = await connectTo("legacy", transport, KEPT);

    expect(await client.call("run", { command: "echo in $PWD" })).toContain(`in ${homedir()}`);
    expect(await client.call("list_sessions")).toContain("default");
  } finally {
    await cli.limpet(["web", "stop"]);
  }
});

test.each([
  [["--port", "1"], "--port needs --http"],
  [["--http", "--caller", "me"], "a caller has the name of its token"],
  [["--http", "--channel", "exited"], "Channels need stdin and stdout"],
  [["--http", "--port", "x"], "--port is"],
])("%j is a mistake", async (flags, message) => {
  await expect(server.limpet("mcp", ...flags)).rejects.toMatchObject({ stderr: expect.stringContaining(message) });
});
