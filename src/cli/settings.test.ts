import { expect, test } from "vitest";
import { mcpSettings } from "./settings.ts";

test("a flag comes before its variable, and the default last", () => {
  expect(mcpSettings({}, {})).toEqual({ profile: "all" });
  expect(mcpSettings({}, { LIMPET_TOOLS: "codex" })).toEqual({ profile: "codex" });
  expect(mcpSettings({ tools: "unified" }, { LIMPET_TOOLS: "codex" })).toEqual({ profile: "unified" });
});

test.each(["ALL", "__proto__", "", "toString"])("tools %j are refused with those that there are", (tools) => {
  expect(() => mcpSettings({ tools }, {})).toThrow("all, codex, unified");
});
