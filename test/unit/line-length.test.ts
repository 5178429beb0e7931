import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const WIDTH = 120;

/** Biome formats code, but wraps neither comments nor prose. */
test(`no line of a comment or a document is longer than ${WIDTH} characters`, () => {
  const sources = filesBelow("src", ".ts").flatMap((path) => longLines(path, isComment));
  const documents = [...filesBelow("docs", ".md"), "README.md", "CONTRIBUTING.md", "AGENTS.md", "CHANGELOG.md"].flatMap(
    (path) => longLines(path, isProse),
  );

  expect([...sources, ...documents]).toEqual([]);
});

function filesBelow(folder: string, ending: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(ending)).map((name) => `${folder}/${name}`);
}

function longLines(path: string, counts: (line: string) => boolean): string[] {
  let isCode = false;
  return readFileSync(path, "utf8")
    .split("\n")
    .flatMap((line, index) => {
      if (line.trimStart().startsWith("```")) isCode = !isCode;
      return !isCode && line.length > WIDTH && counts(line) ? [`${path}:${index + 1}`] : [];
    });
}

function isComment(line: string): boolean {
  return /^\s*(?:\/\*\*|\*|\/\/)/.test(line);
}

/** Tables, and lines that are one link, cannot be wrapped. */
function isProse(line: string): boolean {
  return !/^\s*(?:\||<|\[|!\[|- <code>)/.test(line);
}
