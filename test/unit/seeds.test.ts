import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
// @ts-expect-error A script without types.
import { behavioursOf, readSeeds, seedsPage } from "../../scripts/write-seeds.mjs";

interface Behaviour {
  readonly id: string;
  readonly statement: string;
  readonly verdict: "same" | "better" | "different";
  readonly reason?: string;
  readonly test: { readonly file: string; readonly title: string };
}

const behaviours: readonly Behaviour[] = readSeeds().flatMap(behavioursOf);

test("docs/seeds.md is what the lists say; npm run seeds writes it", () => {
  expect(readFileSync("docs/seeds.md", "utf8")).toBe(seedsPage());
});

test("every stated behaviour is shown by a test that exists", () => {
  const missing = behaviours.filter(({ test: { file, title } }) => !readFileSync(file, "utf8").includes(title));

  expect(missing.map(({ id, test: { file, title } }) => `${id}: ${file}: ${title}`)).toEqual([]);
});

test("every behaviour has its own id and statement, and a reason where limpet differs", () => {
  const ids = behaviours.map(({ id }) => id);
  const unexplained = behaviours.filter(({ verdict, reason }) => verdict !== "same" && !reason);

  expect(new Set(ids).size).toBe(ids.length);
  expect(unexplained).toEqual([]);
  expect(behaviours.length).toBeGreaterThanOrEqual(293);
});
