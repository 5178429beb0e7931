import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("the map in AGENTS.md names every source file, and none that is gone", () => {
  const map = readFileSync("AGENTS.md", "utf8").split("## src/")[1]?.split("The way of the bytes")[0] ?? "";
  const files = readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => name.split("/").at(-1) ?? name);

  const named = map.match(/[a-z0-9-]+\.ts/g) ?? [];

  expect([...new Set(named)].sort()).toEqual([...new Set(files)].sort());
});
