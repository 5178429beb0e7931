import { PassThrough } from "node:stream";
import { Client } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { LocalService, type McpOptions, serveMcp } from "../../../src/adapters/mcp/index.ts";
import { SessionRegistry } from "../../../src/entries/session.ts";
import { textOf } from "../../support/mcp.ts";

/** A server in this process, so that its times can be short, and a client at the other ends of its streams. */
async function serve(options: Omit<McpOptions, "sessions">, registry: SessionRegistry = new SessionRegistry()) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const connection = serveMcp({ structured: true, ...options, sessions: new LocalService(registry), input, output });
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(streamTransport(input, output));
  return {
    client,
    registry,
    async [Symbol.asyncDispose]() {
      await client.close();
      await connection.closed;
      await registry.closeAll({ force: true });
    },
  };
}

function streamTransport(input: PassThrough, output: PassThrough): Parameters<Client["connect"]>[0] {
  let rest = "";
  const transport: Parameters<Client["connect"]>[0] = {
    async start() {
      output.on("data", (chunk) => {
        const lines = `${rest}${chunk}`.split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) transport.onmessage?.(JSON.parse(line));
      });
    },
    async send(message) {
      input.write(`${JSON.stringify(message)}\n`);
    },
    async close() {
      input.end();
      transport.onclose?.();
    },
  };
  return transport;
}

const waitForever = { name: "exec_command", arguments: { cmd: "sleep 1000", login: false, yield_time_ms: 3_600_000 } };

test("a call with a progress token waits on, and says so again and again", async () => {
  await using server = await serve({ progressEveryMs: 20 });
  const seen: number[] = [];
  const stop = new AbortController();

  const calling = server.client.callTool(waitForever, {
    signal: stop.signal,
    onprogress: ({ progress }) => {
      seen.push(progress);
      if (seen.length === 5) stop.abort();
    },
  });

  await expect(calling).rejects.toThrow();
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  expect(server.registry.list()).toHaveLength(1);
});

const CUT_SHORT = "Still waiting: this client limits how long a call may take; continue with";

test.each([
  ["exec_command", waitForever.arguments, `${CUT_SHORT} wait_for`],
  ["run", { command: "sleep 1000" }, "Continue with wait_for(session_ids=["],
  ["wait_for", { session_ids: ["quiet"] }, `${CUT_SHORT} wait_for`],
  ["write_stdin", { session_id: "quiet", chars: "x", yield_time_ms: 3_600_000 }, `${CUT_SHORT} wait_for`],
  ["read_screen", { session_id: "quiet", until: "never" }, `${CUT_SHORT} read_screen`],
])("%s returns before its client gives up, and says how to go on", async (name, given, says) => {
  await using server = await serve({ maxWaitMs: 50 });
  const quiet = { cmd: "sleep 1000", name: "quiet", login: false, yield_time_ms: 250 };
  await server.client.callTool({ name: "exec_command", arguments: quiet });

  const answer = await server.client.callTool({ name, arguments: given }, { onprogress: () => undefined });

  expect(textOf(answer)).toContain(says);
  expect(textOf(answer)).not.toContain("Deadline");
});

test("two connections each read all output of one session", async () => {
  await using first = await serve({});
  await using second = await serve({}, first.registry);
  const started = { name: "exec_command", arguments: { cmd: "echo once; cat", login: false, until: "once\n" } };

  const seenByFirst = await first.client.callTool(started);
  const { session_id } = seenByFirst.structuredContent as { readonly session_id: number };
  const seenBySecond = await second.client.callTool({ name: "write_stdin", arguments: { session_id, chars: "" } });

  expect([seenByFirst, seenBySecond].map(({ structuredContent }) => structuredContent)).toMatchObject([
    { output: "once\n" },
    { output: "once\n" },
  ]);
});
