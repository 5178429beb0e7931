import { expect, test } from "vitest";
import { codeOfThrown } from "../../../test/support/thrown.ts";
import { expiryIn } from "./expiry-in.ts";

test("credentials end after minutes, hours or days", () => {
  expect(["30m", "12h", "90d"].map((text) => expiryIn(text, 1_000))).toEqual([1_801_000, 43_201_000, 7_776_001_000]);
});

test.each(["", "0d", "90", "d", "-1d", "1.5h", "99999d", "1y"])("%j is refused", (text) => {
  expect(codeOfThrown(() => expiryIn(text, 0))).toBe("BAD_OPTION");
});
