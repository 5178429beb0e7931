import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { mcpSettings, setupSettings } from "./settings.ts";

test("a flag comes before its variable, and the default last", () => {
  expect(mcpSettings({}, {})).toEqual({ profile: "all" });
  expect(mcpSettings({}, { LIMPET_TOOLS: "codex" })).toEqual({ profile: "codex" });
  expect(mcpSettings({ tools: "unified" }, { LIMPET_TOOLS: "codex" })).toEqual({ profile: "unified" });
});

test.each(["ALL", "__proto__", "", "toString"])("tools %j are refused with those that there are", (tools) => {
  expect(() => mcpSettings({ tools }, {})).toThrow("all, codex, unified");
});

test("a client is given the name of what is installed for all, and the file of what is not", () => {
  const project = realpathSync(mkdtempSync(join(tmpdir(), "setup-")));
  const [file, link] = [join(project, "main.js"), join(project, ".bin", "limpet")];
  writeFileSync(file, "");
  mkdirSync(join(project, ".bin"));
  symlinkSync(file, link);

  expect(setupSettings({}, ["node", "/usr/local/bin/limpet"]).server).toEqual({ command: "limpet", args: ["mcp"] });
  expect(setupSettings({}, ["node", link]).server).toEqual({ command: "node", args: [file, "mcp"] });
  rmSync(project, { recursive: true });
});
