import { describe, expect, test } from "vitest";
import { isWithin, narrowSandbox } from "./narrow-sandbox.ts";

const readOnly = { files: "read-only" } as const;
const workspace = { files: "workspace" } as const;
const offline = { files: "workspace", network: "off" } as const;

describe("what applies", () => {
  test.each([
    ["nothing asked for", workspace, undefined, workspace],
    ["nothing asked for and no limit", undefined, undefined, undefined],
    ["a narrower one", workspace, readOnly, readOnly],
    ["the same", workspace, workspace, workspace],
    ["one without a limit", undefined, readOnly, readOnly],
    ["off without a limit", undefined, "off" as const, undefined],
    ["a word about files alone keeps the network off", offline, readOnly, { files: "read-only", network: "off" }],
  ])("%s", (_, limit, asked, applies) => {
    expect(narrowSandbox(limit, asked)).toEqual(applies);
  });
});

test.each([
  ["off", workspace, "off" as const],
  ["wider files", readOnly, workspace],
  ["the network", offline, { files: "read-only", network: "on" } as const],
])("asking for %s beyond the limit is refused", (_, limit, asked) => {
  expect(() => narrowSandbox(limit, asked)).toThrow(/is wider than a person allows here/);
});

test("no sandbox is within none, and every sandbox within no limit", () => {
  expect(isWithin(undefined, workspace)).toBe(false);
  expect(isWithin(readOnly, workspace)).toBe(true);
  expect(isWithin(workspace, readOnly)).toBe(false);
  expect(isWithin(undefined, undefined)).toBe(true);
  expect(isWithin(workspace, offline)).toBe(false);
});
