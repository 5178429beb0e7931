import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
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

    expect(limit({ person, theirs })()).toEqual(expected);
  });

  test("is read again before each act", () => {
    const now = limit({ person: { sandbox: "workspace" } });
    expect(now()).toEqual({ files: "workspace" });

    writeFileSync(join(project, ".limpet.json"), '{ "sandbox": "read-only" }');

    expect(now()).toEqual({ files: "read-only" });
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

  test("that is a directory is an error", () => {
    mkdirSync(join(project, ".limpet.json"));

    expect(limit({})).toThrow(/\.limpet\.json cannot be read \(EISDIR\)\. Fix it or remove it\.$/);
  });
});

describe("the person's settings for projects", () => {
  test("replace the general ones, and the nearest folder wins", () => {
    const projects = { "~/src": { sandbox: "read-only" }, "~/src/app/": { sandbox: "workspace" } };

    expect(limit({ person: { sandbox: { files: "read-only", network: "off" }, projects } })()).toEqual({
      files: "workspace",
    });
  });

  test.each([
    ["a folder above", "~/src", { files: "read-only" }],
    ["a folder whose name begins alike", "~/src/ap", { files: "workspace" }],
    ["every folder", "/", { files: "read-only" }],
  ])("apply below their folder: %s", (_, folder, expected) => {
    expect(limit({ person: { sandbox: "workspace", projects: { [folder]: { sandbox: "read-only" } } } })()).toEqual(
      expected,
    );
  });

  test("can take the sandbox away, which the project's file can add", () => {
    const person = { sandbox: "read-only", projects: { "~/src/app": { sandbox: "off" } } };

    expect(limit({ person })()).toBeUndefined();
    expect(limit({ person, theirs: '{ "sandbox": "workspace" }' })()).toEqual({ files: "workspace" });
  });

  test("apply to a folder that is given by a link", () => {
    symlinkSync(project, join(home, "link"));

    expect(limit({ person: { projects: { "~/link": { sandbox: "read-only" } } } })()).toEqual({ files: "read-only" });
  });

  test.each([
    [{ "src/app": {} }, 'has the project "src/app"'],
    [{ "~/src": "read-only" }, 'has a bad value for "~/src"'],
    [{ "~/src": { sandbox: "on" } }, 'has "on" for a sandbox'],
    [{ "~/src": { tools: "all" } }, 'has an unknown setting "tools" for a project'],
    [[], "has a bad value for projects"],
  ])("%j is refused", (projects, message) => {
    expect(() => limit({ person: { projects } })).toThrow(message);
  });
});

test("a flag can only narrow", () => {
  writeFileSync(join(home, ".config", "limpet", "config.json"), '{ "sandbox": "read-only" }');

  expect(() => agentSandbox(userConfig({ HOME: home }), { project, asked: { files: "workspace" } })).toThrow(
    /is wider than a person allows here/,
  );
});
