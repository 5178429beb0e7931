import { expect, test } from "vitest";
import { refusedCalls } from "./refused-calls.ts";

const families = (network: "on" | "off") => refusedCalls({ arch: "x64", network })[0]?.test?.values;

test("without network, no family of sockets but the one that tells about interfaces is left", () => {
  expect(families("on")).toEqual([2, 10, 16]);
  expect(families("off")).toEqual([16]);
});

test.each(["x64", "arm64"])("on %s, no call is named twice", (arch) => {
  const calls = refusedCalls({ arch, network: "off" }).map(({ call }) => call);

  expect(new Set(calls).size).toBe(calls.length);
});

test("the numbers differ between processors", () => {
  const [x64, arm64] = ["x64", "arm64"].map((arch) => refusedCalls({ arch, network: "on" }));

  expect(x64?.[0]).toMatchObject({ call: 41 });
  expect(arm64?.[0]).toMatchObject({ call: 198 });
  expect(x64).toHaveLength(arm64?.length ?? 0);
});
