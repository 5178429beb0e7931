import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { SandboxRequest } from "../base/sandbox-request.ts";
import { agentSandbox } from "./agent-sandbox.ts";
import { userConfig } from "./user-config.ts";

let home: string;
let project: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "limpet-config-")));
  project = join(home, "src", "app");
  mkdirSync(join(home, ".config", "limpet"), { recursive: true });
  mkdirSync(project, { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true }));

/** What an agent in the project may do, by the person's settings and the project's. */
function limit({ person = {}, theirs }: { readonly person?: unknown; readonly theirs?: string }) {
  writeFileSync(join(home, ".config", "limpet", "config.json"), JSON.stringify(person));
  if (theirs !== undefined) writeFileSync(join(project, ".limpet.json"), theirs);
  return agentSandbox(userConfig({ HOME: home }), { project, asked: undefined });
}

describe("a project's own file", () => {
  test.each([
    ["nothing", undefined, '{ "sandbox": "read-only" }', { files: "read-only" }],
    ["less than it", "read-only", '{ "sandbox": "workspace" }', { files: "read-only" }],
    ["more than it", "workspace", '{ "sandbox": "read-only" }', { files: "read-only" }],
    [
      "a network",
      { files: "workspace", network: ["*.example.com"] },
      '{ "sandbox": { "files": "workspace", "network": ["a.example.com", "b.example.org"] } }',
      { files: "workspace", network: ["a.example.com"] },
    ],
    [
      "changes",
      { files: "workspace", allowChanges: [".envrc"] },
      '// ours\n{ "sandbox": "workspace" }',
      { files: "workspace", allowChanges: [".envrc"] },
    ],
    ["no network", { files: "workspace", network: "off" }, "{}", { files: "workspace", network: "off" }],
  ])("narrows what a person allows, who has set %s", (_, sandbox, theirs, expected) => {
    const person = sandbox === undefined ? {} : { sandbox };

    expect(limit({ person, theirs })()).toEqual({ default: expected, ceiling: expected });
  });

  test("is read again before each act", () => {
    const now = limit({ person: { sandbox: "workspace" } });
    expect(now().ceiling).toEqual({ files: "workspace" });

    writeFileSync(join(project, ".limpet.json"), '{ "sandbox": "read-only" }');

    expect(now().ceiling).toEqual({ files: "read-only" });
  });

  test.each([
    ['{\n  "sandbox": "off" }', 'Line 2 has "off" for sandbox. Use "workspace", "read-only", or an object'],
    ['{\n\n "hooks": {} }', 'Line 3 has an unknown setting "hooks". Use one of: sandbox, limits.'],
    ["{", "is not valid JSON"],
  ])("with a mistake is an error that names its line: %j", (theirs, message) => {
    const now = limit({ theirs });

    expect(now).toThrow(`${join(project, ".limpet.json")}: `);
    expect(now).toThrow(message);
  });

  test("that is a link is an error, which shows nothing of what it leads to", () => {
    writeFileSync(join(home, "key.json"), '{ "the-key": 1 }');
    symlinkSync(join(home, "key.json"), join(project, ".limpet.json"));

    expect(limit({})).toThrow(/\.limpet\.json cannot be read \(it is a link\)\. Fix it or remove it\.$/);
  });

  test("that is a directory is an error", () => {
    mkdirSync(join(project, ".limpet.json"));

    expect(limit({})).toThrow(/\.limpet\.json cannot be read \(EISDIR\)\. Fix it or remove it\.$/);
  });
});

describe("the person's settings for projects", () => {
  test("replace the general ones, and the nearest folder wins", () => {
    const projects = { "~/src": { sandbox: "read-only" }, "~/src/app/": { sandbox: "workspace" } };

    expect(limit({ person: { sandbox: { files: "read-only", network: "off" }, projects } })().ceiling).toEqual({
      files: "workspace",
    });
  });

  test.each([
    ["a folder above", "~/src", { files: "read-only" }],
    ["a folder whose name begins alike", "~/src/ap", { files: "workspace" }],
    ["every folder", "/", { files: "read-only" }],
  ])("apply below their folder: %s", (_, folder, expected) => {
    const person = { sandbox: "workspace", projects: { [folder]: { sandbox: "read-only" } } };

    expect(limit({ person })().ceiling).toEqual(expected);
  });

  test("can take the sandbox away, which the project's file can add", () => {
    const person = { sandbox: "read-only", projects: { "~/src/app": { sandbox: "off" } } };

    expect(limit({ person })()).toEqual({ default: undefined, ceiling: undefined });
    expect(limit({ person, theirs: '{ "sandbox": "workspace" }' })().ceiling).toEqual({ files: "workspace" });
  });

  test("apply to a folder that is given by a link", () => {
    symlinkSync(project, join(home, "link"));

    const person = { projects: { "~/link": { sandbox: "read-only" } } };

    expect(limit({ person })().ceiling).toEqual({ files: "read-only" });
  });

  test.each([
    [{ "src/app": {} }, 'has the project "src/app"'],
    [{ "~/src": "read-only" }, 'has a bad value for "~/src"'],
    [{ "~/src": { sandbox: "on" } }, 'has "on" for sandbox'],
    [{ "~/src": { tools: "all" } }, 'has an unknown setting "tools" for a project'],
    [[], "has a bad value for projects"],
  ])("%j is refused", (projects, message) => {
    expect(() => limit({ person: { projects } })).toThrow(message);
  });
});

test("a flag can only narrow", () => {
  writeFileSync(join(home, ".config", "limpet", "config.json"), '{ "sandbox": "read-only" }');

  expect(() => agentSandbox(userConfig({ HOME: home }), { project, asked: { files: "workspace" } })).toThrow(
    /is wider than a person allows/,
  );
});

describe("a default and a ceiling", () => {
  const sandbox = { default: "read-only", ceiling: { files: "workspace", network: "off" } };

  test("apply each for itself, and the default inherits what it does not say", () => {
    expect(limit({ person: { sandbox } })()).toEqual({
      default: { files: "read-only", network: "off" },
      ceiling: { files: "workspace", network: "off" },
    });
  });

  test("can be set for one project, without any ceiling", () => {
    const projects = { "~/src/app": { sandbox: { default: "workspace", ceiling: "off" } } };

    expect(limit({ person: { sandbox, projects } })()).toEqual({ default: { files: "workspace" }, ceiling: undefined });
  });

  test.each([
    ['{ "sandbox": "read-only" }', { files: "read-only", network: "off" }, { files: "read-only", network: "off" }],
    ['{ "sandbox": "workspace" }', { files: "read-only", network: "off" }, { files: "workspace", network: "off" }],
    [
      '{ "sandbox": { "default": "off", "ceiling": "off" } }',
      { files: "read-only", network: "off" },
      { files: "workspace", network: "off" },
    ],
  ])("are both narrowed by the project's file: %s", (theirs, usual, ceiling) => {
    expect(limit({ person: { sandbox }, theirs })()).toEqual({ default: usual, ceiling });
  });

  test("let a flag choose up to the ceiling, for this client only", () => {
    const config = join(home, ".config", "limpet", "config.json");
    writeFileSync(config, JSON.stringify({ sandbox }));
    const flag = (asked: SandboxRequest) => agentSandbox(userConfig({ HOME: home }), { project, asked });
    const workspace = { files: "workspace", network: "off" } as const;

    expect(flag({ files: "workspace" })()).toEqual({ default: workspace, ceiling: workspace });
    expect(() => flag({ files: "workspace", network: "on" })).toThrow(/is wider than a person allows/);
  });

  test.each([
    [{ default: "workspace", ceiling: "read-only" }, "(workspace) that is wider than its ceiling (read-only)"],
    [{ default: "off", ceiling: "read-only" }, "(no sandbox) that is wider than its ceiling (read-only)"],
    [{ default: "read-only" }, "with only one of default and ceiling"],
    [{ default: "read-only", ceiling: "on" }, 'has "on" for sandbox'],
  ])("are refused as %j", (bad, message) => {
    expect(() => limit({ person: { sandbox: bad } })).toThrow(message);
  });
});
