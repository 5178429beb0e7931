import { describe, expect, test } from "vitest";
import { intersectSandboxes, isWithin, narrowSandbox } from "./narrow-sandbox.ts";

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
  expect(() => narrowSandbox(limit, asked)).toThrow(/is wider than a person allows/);
});

test("no sandbox is within none, and every sandbox within no limit", () => {
  expect(isWithin(undefined, workspace)).toBe(false);
  expect(isWithin(readOnly, workspace)).toBe(true);
  expect(isWithin(workspace, readOnly)).toBe(false);
  expect(isWithin(undefined, undefined)).toBe(true);
  expect(isWithin(workspace, offline)).toBe(false);
});

const hosts = (...network: readonly string[]) => ({ files: "workspace", network }) as const;

test.each([
  ["the same", hosts("a.example"), hosts("a.example"), true],
  ["fewer", hosts("a.example"), hosts("a.example", "b.example"), true],
  ["none", hosts(), hosts("a.example"), true],
  ["no network", offline, hosts("a.example"), true],
  ["a name below a pattern", hosts("x.y.example"), hosts("*.example"), true],
  ["a narrower pattern", hosts("*.y.example"), hosts("*.example"), true],
  ["a port of the web", hosts("a.example:443"), hosts("a.example"), true],
  ["another name", hosts("c.example"), hosts("a.example", "b.example"), false],
  ["the name of a pattern itself", hosts("example"), hosts("*.example"), false],
  ["a name that ends alike", hosts("evilexample.com"), hosts("*.example.com"), false],
  ["a wider pattern", hosts("*.example"), hosts("*.y.example"), false],
  ["a pattern instead of a name", hosts("*.a.example"), hosts("a.example"), false],
  ["another port", hosts("a.example:22"), hosts("a.example"), false],
  ["all ports of the web instead of one", hosts("a.example"), hosts("a.example:443"), false],
  ["the whole network", workspace, hosts("a.example"), false],
  ["a list instead of loopback", hosts("localhost"), { files: "workspace", network: "loopback" } as const, false],
  ["a list instead of nothing", hosts("a.example"), offline, false],
])("hosts: %s", (_, sandbox, limit, expected) => {
  expect(isWithin(sandbox, limit)).toBe(expected);
});

test("what may be changed cannot be widened", () => {
  expect(isWithin({ ...workspace, allowChanges: [".envrc"] }, workspace)).toBe(false);
  expect(narrowSandbox({ ...workspace, allowChanges: [".envrc"] }, readOnly)).toEqual({
    files: "read-only",
    allowChanges: [".envrc"],
  });
});

test("namespaces that the person wants are there whatever is asked for", () => {
  const inNamespaces = { ...workspace, with: "bwrap" } as const;

  expect(isWithin({ ...workspace, with: "landlock" }, inNamespaces)).toBe(false);
  expect(isWithin(inNamespaces, workspace)).toBe(true);
  expect(isWithin({ ...workspace, network: "loopback" }, inNamespaces)).toBe(true);
  expect(narrowSandbox(inNamespaces, readOnly)).toEqual({ files: "read-only", with: "bwrap" });
  expect(intersectSandboxes(inNamespaces, { ...readOnly, with: "landlock" })).toEqual({
    files: "read-only",
    with: "bwrap",
  });
});

test.each([
  ["nothing and something", undefined, readOnly, readOnly],
  ["two lists", hosts("*.example", "a.test"), hosts("b.example", "*.test"), hosts("a.test", "b.example")],
  ["a list and loopback", hosts("a.test"), { files: "workspace", network: "loopback" } as const, offline],
  ["different files and networks", offline, readOnly, { files: "read-only", network: "off" }],
])("what two sandboxes allow: %s", (_, one, other, both) => {
  expect(intersectSandboxes(one, other)).toEqual(both);
});
