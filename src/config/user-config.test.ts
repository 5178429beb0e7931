import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { mcpSettings, stateDirectory } from "../cli/settings/settings.ts";
import { userConfig } from "./user-config.ts";

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

test("without a file nothing is set, and a file may have comments", () => {
  expect(userConfig({ HOME: home })).toEqual({});
  put('// mine\n{ "state": "~/kept", /* for Codex */ "tools": "codex", "structured": true, }\n');
  expect(userConfig({ HOME: home })).toEqual({ state: join(home, "kept"), tools: "codex", structured: true });
});

test("env has names to pass on, names to withhold, and values", () => {
  put('{ "env": { "pass": ["A_*"], "withhold": ["B"], "set": { "C": "1" } } }');

  expect(userConfig({ HOME: home })).toEqual({ env: { pass: ["A_*"], withhold: ["B"], set: { C: "1" } } });
});

test.each([
  ['"workspace"', { files: "workspace" }],
  ['{ "files": "read-only", "network": "off" }', { files: "read-only", network: "off" }],
])("the sandbox %s is what agents get, and a flag can only narrow it", (text, sandbox) => {
  put(`{ "sandbox": ${text} }`);

  expect(mcpSettings({}, { HOME: home }).sandbox(null)).toEqual({ default: sandbox, ceiling: sandbox });
  expect(mcpSettings({ sandbox: { files: "read-only" } }, { HOME: home }).sandbox(null).ceiling).toMatchObject({
    files: "read-only",
  });
});

test.each(['"off"', "true", "7", '{ "files": "workspace", "net": "off" }', '{ "network": "off" }'])(
  "the sandbox %s is refused",
  (text) => {
    put(`{ "sandbox": ${text} }`);

    expect(() => userConfig({ HOME: home })).toThrow(/for sandbox\. Use "workspace", "read-only", or an object/);
  },
);

test("the file is in XDG_CONFIG_HOME if that is an absolute path", () => {
  put('{ "tools": "codex" }', "elsewhere");

  expect(userConfig({ HOME: home, XDG_CONFIG_HOME: join(home, "elsewhere") })).toEqual({ tools: "codex" });
  expect(userConfig({ HOME: home, XDG_CONFIG_HOME: "elsewhere" })).toEqual({});
});

test("a flag and a variable override the file", () => {
  put('{ "state": "/of/the/file", "tools": "codex" }');
  const env = { HOME: home, XDG_STATE_HOME: "/xdg" };

  expect(mcpSettings({}, env)).toMatchObject({ profile: "codex", stateDirectory: "/of/the/file" });
  expect(stateDirectory({}, { ...env, LIMPET_HOME: "/variable" })).toBe("/variable");
  expect(stateDirectory({ state: "/flag" }, { ...env, LIMPET_HOME: "/variable" })).toBe("/flag");
  expect(mcpSettings({}, { ...env, LIMPET_TOOLS: "all" }).profile).toBe("all");
  expect(mcpSettings({}, env).isStructured).toBe(false);
  expect(mcpSettings({ isStructured: true }, env).isStructured).toBe(true);
});

test.each([
  ['{\n  "state": "/a"\n  "tools": "all"\n}', "Line 3 is not valid JSON (comma expected). Fix it and try again."],
  [
    '{\n\n  "stat": "/a" }',
    'Line 3 has an unknown setting "stat". Use one of: state, tools, structured, env, detachKey, ',
  ],
  ['{ "state": "here" }', 'Line 1 has "here" for state. Use an absolute path, or one that starts with ~/.'],
  ['{ "state": 7 }', "Line 1 has 7 for state."],
  ['{ "__proto__": {} }', 'Line 1 has an unknown setting "__proto__".'],
  ['{ "structured": "yes" }', 'Line 1 has "yes" for structured. Use true or false.'],
  ['{\n "tools": "some" }', 'Line 2 has an unknown tool profile "some". Use one of: all, codex, unified.'],
  ['{ "env": [] }', "Line 1 has a bad value for env."],
  ['{ "env": { "pass": "A" } }', "Line 1 has a bad value for env.pass."],
  ['{ "env": { "set": { "A": 1 } } }', "Line 1 has a bad value for env.set."],
  ['{ "env": { "allow": ["A"] } }', "Line 1 has a bad value for env.allow."],
  ['{ "secrets": { "a b": { "env": "X" } } }', 'Line 1 has a bad secret "a b".'],
  ['{ "secrets": { "x": { "env": "X", "file": "/x" } } }', 'Line 1 has a bad secret "x".'],
  ['{ "secrets": { "x": { "file": "here" } } }', 'Line 1 has a bad secret "x".'],
  ['{ "secretJournals": "all" }', 'Line 1 has "all" for secretJournals. Use "redacted" or "none".'],
  ['{ "redact": { "patterns": "yes" } }', 'Line 1 has {"patterns":"yes"} for redact.'],
  ["\n[]", "The file is not an object (line 2). Make it one and try again."],
  ["", "Line 1 is not valid JSON (value expected)."],
])("a file with %j is refused with the line", (content, reason) => {
  const file = put(content);

  expect(() => userConfig({ HOME: home })).toThrow(`${file}: ${reason}`);
  expect(() => stateDirectory({}, { HOME: home })).toThrow(expect.objectContaining({ code: "BAD_CONFIG" }));
});

test("a directory in place of the file is refused", () => {
  const file = put("{}");
  rmSync(file);
  mkdirSync(file);
  chmodSync(file, 0o700);

  expect(() => userConfig({ HOME: home })).toThrow(`${file} cannot be read (EISDIR). Fix it or remove it.`);
});

test("secrets have a command, a file or a variable each", () => {
  put('{ "secrets": { "a": { "command": ["pass", "show", "a"] }, "b": { "file": "~/b" }, "C": { "env": "C" } } }');

  expect(userConfig({ HOME: home }).secrets).toEqual({
    a: { command: ["pass", "show", "a"] },
    b: { file: join(home, "b") },
    C: { env: "C" },
  });
});

test("a place has its own sandbox, which a flag can only narrow, or that of this machine", () => {
  const places = {
    build: { ssh: "b", sandbox: "read-only" },
    box: { via: ["x"], sandbox: "off" },
    other: { ssh: "o" },
  };
  put(JSON.stringify({ sandbox: "workspace", places }));
  const { sandbox } = mcpSettings({}, { HOME: home });
  const narrowed = mcpSettings({ sandbox: { files: "read-only" } }, { HOME: home }).sandbox;

  expect(["build", "box", "other", null].map((place) => sandbox(place).ceiling?.files)).toEqual([
    "read-only",
    undefined,
    "workspace",
    "workspace",
  ]);
  expect(["build", "box", "other", null].map((place) => narrowed(place).ceiling?.files)).toEqual([
    "read-only",
    "read-only",
    "read-only",
    "read-only",
  ]);
});

test("a place has its directory and variables", () => {
  const places = { build: { ssh: "b", directory: "~/src", env: { CI: "1" } } };
  put(JSON.stringify({ places }));

  expect(userConfig({ HOME: home }).places).toEqual(places);
});
