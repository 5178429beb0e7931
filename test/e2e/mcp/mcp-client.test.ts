import { expect, test } from "vitest";
import { connect } from "../../support/mcp.ts";
import { officialClientClaims } from "../../support/official-client-claims.ts";

officialClientClaims(connect);

test.each([
  ["codex", ["exec_command", "write_stdin"]],
  ["unified", ["unified_exec", "write_stdin", "close_pty_session", "list_pty_sessions"]],
])("the profile %s offers its tools alone", async (profile, names) => {
  await using server = await connect("legacy", ["--tools", profile]);

  const { tools } = await server.client.listTools();
  const [first = ""] = names;

  expect(tools.map(({ name }) => name)).toEqual(names);
  expect(await server.call(first, { cmd: "echo $((40 + 2))", login: false, yield_time_ms: 10_000 })).toContain("42");
});

test.each([
  ["all", 1_525],
  ["codex", 450],
] as const)("what a model is given of %s is at most %i tokens", async (profile, tokens) => {
  await using server = await connect("legacy", ["--tools", profile]);

  const { tools } = await server.client.listTools();
  const given = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));

  expect(Buffer.byteLength(JSON.stringify(given)) / 4).toBeLessThanOrEqual(tokens);
});
