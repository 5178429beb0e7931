import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
// @ts-expect-error A script without types.
import { describeTree } from "../../scripts/write-map.mjs";

test("the map in AGENTS.md is that of the tree; npm run map writes it", () => {
  expect(readFileSync("AGENTS.md", "utf8")).toContain(describeTree());
});

test("every file that AGENTS.md names as the answer to a question exists", () => {
  const table = /\n\| question [\s\S]*?\n\n/.exec(readFileSync("AGENTS.md", "utf8"))?.[0] ?? "";
  const named = table.split("\n").map((row) => [...row.matchAll(/`([a-z/-]+\.ts)`/g)].map((match) => match[1] ?? ""));
  // A name without a folder is in the folder of the first one.
  const paths = named.flatMap(([first = "", ...others]) =>
    [first, ...others.map((path) => (path.includes("/") ? path : join(dirname(first), path)))].filter(Boolean),
  );

  expect(paths.length).toBeGreaterThan(20);
  expect(paths.filter((path) => !existsSync(join("src", path)))).toEqual([]);
});
