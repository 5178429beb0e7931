import { expect, test } from "vitest";
import type { Message } from "../read-message.ts";
import { CallLimits } from "./call-limits.ts";

function initialize(name: string): Message {
  return { jsonrpc: "2.0", id: 0, method: "initialize", params: { clientInfo: { name, version: "1" } } };
}

function limitsFor(name: string): CallLimits {
  const limits = new CallLimits();
  limits.note(initialize(name));
  return limits;
}

test.each([
  ["codex-mcp-client", 290_000, 290_000],
  ["gemini-cli-mcp-client", 590_000, 590_000],
  ["claude-code", 99_990_000, 99_990_000],
  ["opencode", 50_000, undefined],
  ["mcp", 50_000, undefined],
  ["toString", 50_000, undefined],
])("a call of %s waits %s ms, and with progress %s ms", (name, silentMs, reportingMs) => {
  const limits = limitsFor(name);

  expect(limits.longestWaitMs({ hasProgress: false })).toBe(silentMs);
  expect(limits.longestWaitMs({ hasProgress: true })).toBe(reportingMs);
});

test("a client that has not said its name gets the limit of the MCP SDK", () => {
  expect(new CallLimits().longestWaitMs({ hasProgress: false })).toBe(50_000);
});

test("in the protocol of 2026, every request says who the client is", () => {
  const limits = new CallLimits();
  const meta = { "io.modelcontextprotocol/clientInfo": { name: "codex-mcp-client", version: "1" } };

  limits.note({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { _meta: meta } });
  limits.note({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { _meta: null } });

  expect(limits.longestWaitMs({ hasProgress: true })).toBe(290_000);
});

test("a given limit overrides the one of the client, also with progress", () => {
  const limits = new CallLimits(1_000);
  limits.note(initialize("claude-code"));

  expect(limits.longestWaitMs({ hasProgress: false })).toBe(1_000);
  expect(limits.longestWaitMs({ hasProgress: true })).toBe(1_000);
});

test.each([-1, 1.5, Number.POSITIVE_INFINITY])("a limit of %s ms is refused", (maxWaitMs) => {
  expect(() => new CallLimits(maxWaitMs)).toThrow("maxWaitMs");
});

test("after a client gave up on a call, the next calls do not wait as long", () => {
  const limits = limitsFor("some client");

  limits.cancelled(100_000, "McpError: MCP error -32001: Request timed out");
  expect(limits.longestWaitMs({ hasProgress: true })).toBe(90_000);
  expect(limits.longestWaitMs({ hasProgress: false })).toBe(50_000);

  limits.cancelled(5_000, "timeout");
  expect(limits.longestWaitMs({ hasProgress: true })).toBe(4_000);
});

test("a person who cancels a call says nothing about the client's patience", () => {
  const limits = limitsFor("some client");

  limits.cancelled(3_000, "AbortError: The operation was aborted.");
  limits.cancelled(3_000, undefined);

  expect(limits.longestWaitMs({ hasProgress: true })).toBeUndefined();
});
