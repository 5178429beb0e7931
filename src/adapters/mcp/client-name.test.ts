import { expect, test } from "vitest";
import { ClientName } from "./client-name.ts";

function nameAfter(...messages: readonly object[]): string | undefined {
  const client = new ClientName();
  for (const message of messages) client.note({ jsonrpc: "2.0", ...message });
  return client.name;
}

const initialize = (clientInfo: unknown) => ({ method: "initialize", params: { clientInfo } });
const request = (clientInfo: unknown) => ({
  method: "tools/call",
  params: { _meta: { "io.modelcontextprotocol/clientInfo": clientInfo } },
});

test("a client is named by initialize, or by its first request in the protocol of 2026", () => {
  expect(nameAfter({ method: "ping" }, initialize({ name: "claude-code" }))).toBe("claude-code");
  expect(nameAfter(request({ name: "codex" }), request({ name: "other" }))).toBe("codex");
});

test("a name is one short line of visible text, or none", () => {
  expect(nameAfter(initialize({ name: " an\u202e editor\n\u0007 " }))).toBe("an editor");
  expect(nameAfter(initialize({ name: "x".repeat(100) }))).toBe("x".repeat(64));
  for (const info of [{ name: "\n" }, { name: 5 }, null, "claude", undefined]) {
    expect(nameAfter(initialize(info))).toBeUndefined();
  }
});
