import { expect, test } from "vitest";
import { instructionsFile, serverFiles } from "./client-files.ts";

const places = { home: "/home/ann", project: () => "/p" };

test.each([
  ["claude", "/p/.mcp.json", "/p/CLAUDE.md"],
  ["codex", "/p/.codex/config.toml", "/p/AGENTS.md"],
  ["gemini", "/p/.gemini/settings.json", "/p/GEMINI.md"],
  ["cursor", "/p/.cursor/mcp.json", "/p/AGENTS.md"],
  ["vscode", "/p/.vscode/mcp.json", "/p/AGENTS.md"],
  ["opencode", "/p/opencode.json", "/p/AGENTS.md"],
] as const)("%s has %s and %s in a project", (client, servers, instructions) => {
  expect(serverFiles(client, "project", places)[0]).toBe(servers);
  expect(instructionsFile(client, "project", places)).toBe(instructions);
});

test.each([
  ["claude", "/home/ann/.claude/CLAUDE.md"],
  ["codex", "/home/ann/.codex/AGENTS.md"],
  ["gemini", "/home/ann/.gemini/GEMINI.md"],
  ["opencode", "/home/ann/.config/opencode/AGENTS.md"],
  ["windsurf", "/home/ann/.codeium/windsurf/memories/global_rules.md"],
] as const)("the agent of %s finds its instructions for all projects in %s", (client, file) => {
  expect(instructionsFile(client, "user", places)).toBe(file);
});

test("the directories that the environment names are used", () => {
  const moved = { ...places, codexHome: "/codex", configHome: "/conf", claudeHome: "/moved" };

  expect(serverFiles("codex", "user", moved)).toEqual(["/codex/config.toml"]);
  expect(instructionsFile("codex", "user", moved)).toBe("/codex/AGENTS.md");
  expect(serverFiles("vscode", "user", moved)).toEqual(["/conf/Code/User/mcp.json"]);
  expect(serverFiles("claude", "user", moved)).toEqual(["/moved/.claude.json"]);
  expect(instructionsFile("claude", "user", moved)).toBe("/moved/CLAUDE.md");
});

test("a project is looked for only if the files are in it", () => {
  const noProject = () => {
    throw new Error("The working directory is gone.");
  };

  expect(serverFiles("cursor", "user", { ...places, project: noProject })).toEqual(["/home/ann/.cursor/mcp.json"]);
});
