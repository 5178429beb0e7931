import { expect, test } from "vitest";
import { judgeBwrap } from "./check-bwrap.ts";

const works = { version: "bubblewrap 0.8.0", refusal: undefined, canEnter: true };

test.each([
  ["works", works, "ok", /^Sandboxes "with": "bwrap" work\.$/],
  ["is not installed", { ...works, version: undefined }, "ok", /install the package bubblewrap\.$/],
  ["is not let", { ...works, refusal: "No permissions" }, "warn", /allow user namespaces/],
  ["has no nsenter", { ...works, canEnter: false }, "warn", /util-linux 2\.38/],
] as const)("a bwrap that %s is told with the fix", (_, facts, verdict, meaning) => {
  expect(judgeBwrap(facts)).toMatchObject({ check: "bwrap", verdict, meaning: expect.stringMatching(meaning) });
});
