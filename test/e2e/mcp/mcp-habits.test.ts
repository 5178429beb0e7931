/** Clients that are known by name, and those that are not: what `limpet mcp` does for each. */
import { expect, test } from "vitest";
import { type Answer, INITIALIZE, RawClient } from "../../support/mcp.ts";

const talker = 'stty -echo; echo ready; while read line; do echo "said $line"; done';
const plain = { login: false, yield_time_ms: 20_000 };

async function clientNamed(name: string, args: readonly string[] = []): Promise<RawClient> {
  const client = new RawClient(args);
  await client.ask({ ...INITIALIZE, params: { ...INITIALIZE.params, clientInfo: { name, version: "1" } } });
  client.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  return client;
}

function textOf({ result }: Answer): string {
  const [first] = (result?.["content"] ?? []) as readonly { readonly text?: string }[];
  return first?.text ?? "";
}

function cancel(client: RawClient, requestId: number, reason: string): void {
  client.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId, reason } });
}

test.each([
  ["opencode", "cancels each call after its answer", false],
  ["some-client", "cancels a call while its answer is on its way", true],
])("%s, which %s, is given that output again: %s", async (name, _habit, isGivenAgain) => {
  await using client = await clientNamed(name);
  await client.tool(1, "exec_command", { cmd: talker, name: "talker", until: "ready", ...plain });

  const said = textOf(await client.tool(2, "write_stdin", { session_id: "talker", chars: "one\n", until: "said one" }));
  cancel(client, 2, "AbortError: The operation was aborted.");
  const next = textOf(await client.tool(3, "write_stdin", { session_id: "talker", chars: "two\n", until: "said two" }));

  expect(said).toContain("said one");
  expect(next).toContain("said two");
  expect(next.includes("said one")).toBe(isGivenAgain);
});

test("a client that cancels all calls of a turn is given only the output of the last one again", async () => {
  await using client = await clientNamed("some-client");
  await client.tool(1, "exec_command", { cmd: talker, name: "talker", until: "ready", ...plain });
  await client.tool(2, "write_stdin", { session_id: "talker", chars: "one\n", until: "said one" });
  await client.tool(3, "write_stdin", { session_id: "talker", chars: "two\n", until: "said two" });

  for (const id of [1, 2, 3]) cancel(client, id, "interrupted");
  const next = textOf(await client.tool(4, "write_stdin", { session_id: "talker", chars: "3\n", until: "said 3" }));

  expect(next).not.toContain("said one");
  expect(next).toContain("said two\nsaid 3");
});

test("--max-wait is the longest that a call takes, also with progress", async () => {
  await using client = await clientNamed("some-client", ["--max-wait", "0.05"]);
  const given = { cmd: "sleep 1000", login: false, yield_time_ms: 3_600_000 };

  const params = { name: "exec_command", arguments: given, _meta: { progressToken: 1 } };
  const answer = await client.ask({ id: 1, method: "tools/call", params });

  expect(textOf(answer)).toContain("continue with wait_for");
});

test("after a client gave up on a call, its next calls return earlier", async () => {
  await using client = await clientNamed("some-client");
  await client.tool(1, "exec_command", { cmd: "sleep 1000", name: "long", login: false, yield_time_ms: 250 });
  const wait = (token: number) => ({
    method: "tools/call",
    params: { name: "wait_for", arguments: { session_ids: ["long"] }, _meta: { progressToken: token } },
  });

  client.send({ jsonrpc: "2.0", id: 2, ...wait(2) });
  await client.tool(3, "list_sessions");
  cancel(client, 2, "McpError: MCP error -32001: Request timed out");
  const answer = await client.ask({ id: 4, ...wait(4) });

  expect(textOf(answer)).toContain("continue with wait_for");
});
