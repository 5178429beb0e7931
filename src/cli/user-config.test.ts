import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { mcpSettings, stateDirectory } from "./settings.ts";
import { ownConfig } from "./user-config.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "limpet-config-"));
});
afterEach(() => rmSync(home, { recursive: true }));

function put(content: string, below = ".config"): string {
  const file = join(home, below, "limpet", "config.json");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

test("without a file nothing is set, and comments are no part of one", () => {
  expect(ownConfig({ HOME: home })).toEqual({});
  put('// mine\n{ "state": "~/kept", /* for Codex */ "tools": "codex", }\n');
  expect(ownConfig({ HOME: home })).toEqual({ state: join(home, "kept"), tools: "codex" });
});

test("the file is where XDG_CONFIG_HOME says, in full", () => {
  put('{ "tools": "codex" }', "elsewhere");

  expect(ownConfig({ HOME: home, XDG_CONFIG_HOME: join(home, "elsewhere") })).toEqual({ tools: "codex" });
  expect(ownConfig({ HOME: home, XDG_CONFIG_HOME: "elsewhere" })).toEqual({});
});

test("a flag and a variable come before the file", () => {
  put('{ "state": "/of/the/file", "tools": "codex" }');
  const env = { HOME: home, XDG_STATE_HOME: "/xdg" };

  expect(mcpSettings({}, env)).toMatchObject({ profile: "codex", stateDirectory: "/of/the/file" });
  expect(stateDirectory({}, { ...env, LIMPET_HOME: "/variable" })).toBe("/variable");
  expect(stateDirectory({ state: "/flag" }, { ...env, LIMPET_HOME: "/variable" })).toBe("/flag");
  expect(mcpSettings({}, { ...env, LIMPET_TOOLS: "all" }).profile).toBe("all");
});

test.each([
  ['{\n  "state": "/a"\n  "tools": "all"\n}', "Line 3 is no JSON: a comma or a closing brace is missing."],
  ['{\n\n  "stat": "/a" }', 'Line 3 has "stat", which is no setting. There are: state, tools.'],
  ['{ "state": "here" }', "Line 1 has a state that is no full path. Begin it with / or ~/."],
  ['{ "state": 7 }', "Line 1 has a state that is no full path."],
  ['{ "__proto__": {} }', 'Line 1 has "__proto__", which is no setting.'],
  ['{\n "tools": "some" }', "Line 2 has tools that there are not. Give one of: all, codex, unified."],
  ["\n[]", "Line 2 is no object. Write settings between braces."],
  ["", "Line 1 is no JSON: "],
])("a file with %j is refused with the line", (content, reason) => {
  const file = put(content);

  expect(() => ownConfig({ HOME: home })).toThrow(`${file}: ${reason}`);
  expect(() => stateDirectory({}, { HOME: home })).toThrow(expect.objectContaining({ code: "BAD_CONFIG" }));
});

test("a file that is none is refused, not passed over", () => {
  const file = put("{}");
  rmSync(file);
  mkdirSync(file);
  chmodSync(file, 0o700);

  expect(() => ownConfig({ HOME: home })).toThrow(`${file} cannot be read (EISDIR). Repair it, or remove it.`);
});
