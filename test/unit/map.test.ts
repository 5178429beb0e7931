import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
// @ts-expect-error A script without types.
import { describeTree } from "../../scripts/write-map.mjs";

test("the map in AGENTS.md is that of the tree; npm run map writes it", () => {
  expect(readFileSync("AGENTS.md", "utf8")).toContain(describeTree());
});
