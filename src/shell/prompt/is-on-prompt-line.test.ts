import { expect, test } from "vitest";
import { isOnPromptLine } from "./is-on-prompt-line.ts";

const AT = "0 0x0 0x56356c348300 0x1";

test.each([
  ["the same address", AT, true],
  ["a later byte of the line", "0 0x0 0x56356c348389 0x1", true],
  ["an earlier byte", "0 0x0 0x56356c3482ff 0x1", false],
  ["a byte beyond the longest line", "0 0x0 0x56356c349300 0x1", false],
  ["another descriptor", "0 0x3 0x56356c348389 0x1", false],
  ["another call", "7 0x0 0x56356c348389 0x1", false],
  ["a larger read", "0 0x0 0x56356c348389 0x400", false],
  ["an address that is not known", undefined, false],
])("%s", (_, address, isOn) => {
  expect(isOnPromptLine(address, AT)).toBe(isOn);
  expect(isOnPromptLine(address, undefined)).toBe(false);
});
