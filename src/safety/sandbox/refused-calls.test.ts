import { expect, test } from "vitest";
import { guardThread, refusedCalls } from "./refused-calls.ts";

const families = (network: "on" | "off") => refusedCalls({ arch: "x64", network })[0]?.tests;

test("without network, no family of sockets but the one that tells about interfaces is left", () => {
  expect(families("on")).toEqual([{ index: 0, values: [2, 10, 16], isOther: true }]);
  expect(families("off")).toEqual([{ index: 0, values: [16], isOther: true }]);
});

test.each(["x64", "arm64"])("on %s, no rule is given twice", (arch) => {
  const rules = refusedCalls({ arch, network: ["a.example"] }).map((rule) => JSON.stringify(rule));

  expect(new Set(rules).size).toBe(rules.length);
});

test("the numbers differ between processors", () => {
  const [x64, arm64] = ["x64", "arm64"].map((arch) => refusedCalls({ arch, network: "on" }));

  expect(x64?.[0]).toMatchObject({ call: 41 });
  expect(arm64?.[0]).toMatchObject({ call: 198 });
  // chmod exists on x64 only.
  expect(x64).toHaveLength((arm64?.length ?? 0) + 1);
});

test("a thread is guarded by its number, on each processor", () => {
  const [x64, arm64] = ["x64", "arm64"].map((arch) => guardThread(7, arch));

  expect(x64?.[0]).toEqual({ call: 62, errno: 1, tests: [{ index: 0, values: [7] }] });
  expect(arm64?.[0]).toEqual({ call: 129, errno: 1, tests: [{ index: 0, values: [7] }] });
});
