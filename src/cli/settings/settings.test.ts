import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { mcpSettings, setupSettings, stateDirectory } from "./settings.ts";

test("a flag comes before its variable, and the default last", () => {
  const env = { HOME: "/home/ann", LIMPET_CALLER: "ann" };

  expect(mcpSettings({}, env)).toEqual({
    profile: "all",
    isInProcess: false,
    places: {},
    isStructured: false,
    redactsTokens: false,
    metrics: undefined,
    stateDirectory: "/home/ann/.local/state/limpet",
    caller: "ann",
    policy: expect.objectContaining({ hasPeople: true }),
    sandbox: expect.any(Function),
    limits: expect.any(Function),
  });
  expect(mcpSettings({}, { ...env, LIMPET_TOOLS: "codex" }).profile).toBe("codex");
  expect(mcpSettings({ tools: "all", state: "/s", caller: "bob" }, { ...env, LIMPET_TOOLS: "codex" })).toEqual({
    profile: "all",
    isInProcess: false,
    places: {},
    isStructured: false,
    redactsTokens: false,
    metrics: undefined,
    stateDirectory: "/s",
    caller: "bob",
    policy: expect.objectContaining({ hasPeople: true }),
    sandbox: expect.any(Function),
    limits: expect.any(Function),
  });
  expect(mcpSettings({ isInProcess: true }, env).isInProcess).toBe(true);
});

test("a profile with limits of its own keeps its sessions in its process", () => {
  expect(mcpSettings({ tools: "unified" }, {}).isInProcess).toBe(true);
});

test.each([
  [{ state: "/s", isInProcess: true }, "--in-process"],
  [{ state: "/s", tools: "unified" }, "--tools unified"],
])("where sessions are kept in the process, the directory of a host is refused: %j", (flags, why) => {
  expect(() => mcpSettings(flags, {})).toThrow(`${why} does not use a host`);
});

test.each([
  [{ LIMPET_HOME: "/l", XDG_STATE_HOME: "/x", HOME: "/h" }, "/l"],
  [{ XDG_STATE_HOME: "/x", HOME: "/h" }, "/x/limpet"],
  [{ LIMPET_HOME: "", XDG_STATE_HOME: "relative", HOME: "/h" }, "/h/.local/state/limpet"],
])("with %j the state is in %s", (env, path) => {
  expect(stateDirectory({}, env)).toBe(path);
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
