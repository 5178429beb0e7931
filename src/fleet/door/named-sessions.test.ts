import { expect, test } from "vitest";
import { hostWithName, isNameOnly } from "./named-sessions.ts";

const running = [
  { id: 1, name: "dev", place: "gpu-1" },
  { id: 2, name: "twice", place: "gpu-1" },
  { id: 1, name: "twice", place: "gpu-2" },
  { id: 3, name: "here", place: null },
];

test.each([
  ["dev", "gpu-1"],
  ["twice", undefined],
  ["here", undefined],
  ["none", undefined],
])("a session with the name %s is found on %s", (name, host) => {
  expect(hostWithName(running, name)).toBe(host);
});

test.each([
  ["dev", true],
  ["gpu-1/dev", false],
  ["7", false],
  [7, false],
])("%j is a name without a host: %s", (key, expected) => {
  expect(isNameOnly(key)).toBe(expected);
});
