import { expect, test } from "vitest";
import type { SandboxRequest } from "../../base/sandbox-request.ts";
import { underCeiling } from "./under-ceiling.ts";

const ceiling: SandboxRequest = { files: "workspace", network: "off" };

test.each<[string, SandboxRequest | "off" | undefined, SandboxRequest]>([
  ["nothing", undefined, ceiling],
  ["no sandbox", "off", ceiling],
  ["a narrower one", { files: "read-only", network: "off" }, { files: "read-only", network: "off" }],
  ["a wider network", { files: "read-only", network: "on" }, { files: "read-only", network: "off" }],
])("a door that asks for %s gets at most what the host allows", (_, sandbox, expected) => {
  const start = underCeiling({ kind: "start", start: { command: "x", sandbox } }, ceiling);
  const run = underCeiling({ kind: "run", run: { command: "x", shell: "main", fresh: { sandbox } } }, ceiling);

  expect(start).toMatchObject({ start: { sandbox: expected } });
  expect(run).toMatchObject({ run: { sandbox: expected, fresh: { sandbox: expected } } });
});

test("a host without a ceiling changes nothing", () => {
  const on = { kind: "start", start: { command: "x", sandbox: "off" } } as const;

  expect(underCeiling(on, undefined)).toBe(on);
});
