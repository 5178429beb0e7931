import { expect, test } from "vitest";
import { readState } from "./password-links.ts";

test.each([
  ["password 7", 7],
  ['password "build/7"', "build/7"],
  ["3", undefined],
  ["password", undefined],
  ["password ", undefined],
  ["password {", undefined],
  ["password [7]", undefined],
  ["password 7.5", undefined],
  [undefined, undefined],
])("the state %j is that of session %j", (state, key) => {
  expect(readState(state)).toBe(key);
});
