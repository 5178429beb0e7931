import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const MOST_LINES = 250;
const FOLDERS = ["src", "test", "scripts", "bench", "examples"];

/** A longer one holds more than one idea. */
test(`no source file has more than ${MOST_LINES} lines`, () => {
  const long = FOLDERS.flatMap(sourcesBelow)
    .map((path) => ({ path, lines: readFileSync(path, "utf8").split("\n").length - 1 }))
    .filter(({ lines }) => lines > MOST_LINES);

  expect(long).toEqual([]);
});

function sourcesBelow(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.filter((name) => /\.(?:tsx?|mjs|js|css|c|h)$/.test(name)).map((name) => `${folder}/${name}`);
}
