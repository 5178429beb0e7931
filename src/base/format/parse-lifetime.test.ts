import { expect, test } from "vitest";
import { parseLifetime } from "./parse-lifetime.ts";

test.each([
  ["30m", 1_800_000],
  [" 12 h ", 43_200_000],
  ["30d", 2_592_000_000],
  ["0d", undefined],
  ["1", undefined],
  ["1.5h", undefined],
  ["-1h", undefined],
  ["1w", undefined],
  ["9999999d", undefined],
  ["", undefined],
])("%j is %j", (text, ms) => expect(parseLifetime(text)).toBe(ms));
