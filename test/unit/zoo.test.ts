import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
// @ts-expect-error A script without types.
import { gradeStep } from "../zoo/grade.mjs";
// @ts-expect-error A script without types.
import { programsPage } from "../zoo/report.mjs";
// @ts-expect-error A script without types.
import { table } from "../zoo/table.mjs";

interface Step {
  readonly types?: string | readonly string[];
  readonly shows?: string;
  readonly waits: string;
}

interface Entry {
  readonly name: string;
  readonly kind: string;
  readonly run: string | readonly string[];
  readonly needs?: Readonly<Record<string, string>>;
  readonly npm?: readonly string[];
  readonly why?: string;
  readonly steps: readonly Step[];
}

const entries: readonly Entry[] = table;
const STATES = ["line", "password", "key", "unknown", "none", "exit"];

test("the zoo has at least 120 programs of eight kinds, each with its own name", () => {
  expect(entries.length).toBeGreaterThanOrEqual(120);
  expect(new Set(entries.map(({ name }) => name)).size).toBe(entries.length);
  expect(new Set(entries.map(({ kind }) => kind)).size).toBe(8);
});

test("every step has a known state and a pattern, and only the last one is the end", () => {
  const steps = entries.flatMap(({ name, steps }) =>
    steps.map((step, index) => ({ name, step, last: steps.length - 1 - index })),
  );
  const odd = steps.filter(({ step, last }) => !STATES.includes(step.waits) || (step.waits === "exit" && last > 0));

  expect(entries.filter(({ steps }) => steps.length === 0)).toEqual([]);
  expect(odd).toEqual([]);
  for (const { step } of steps) expect(() => new RegExp(step.shows ?? "", "s")).not.toThrow();
});

test("a program that nobody can observe says why", () => {
  const unexplained = entries.filter(
    ({ why, steps }) => why === undefined && steps.some(({ waits }) => waits === "unknown"),
  );

  expect(unexplained.map(({ name }) => name)).toEqual([]);
});

test("docs/programs.md lists every program of the table", () => {
  const page = readFileSync("docs/programs.md", "utf8").replaceAll("\\", "");

  expect(entries.filter(({ name }) => !page.includes(`| ${name} `)).map(({ name }) => name)).toEqual([]);
});

test.each([
  ["key", "key", true, 20, "right"],
  ["key", "line", true, 20, "broken"],
  ["key", "key", false, 20, "early"],
  ["key", "key", true, 9_000, "late"],
  ["key", "none", true, 9_000, "late"],
  ["key", "none", false, 9_000, "broken"],
  ["key", "exit", false, 0, "broken"],
  ["none", "none", true, 2_000, "right"],
  ["none", "key", true, 20, "early"],
  ["none", "none", false, 2_000, "broken"],
  ["exit", "exit", true, 9_000, "right"],
])(
  "a wait that should report %s and reports %s (shown: %s, after %i ms) is %s",
  (expected, reported, isShown, lagMs, grade) => {
    expect(gradeStep({ expected, reported, isShown, lagMs })).toBe(grade);
  },
);

test("the report counts programs by their worst trial and waits by state", () => {
  const step = { step: 0, expected: "key", reported: "key", lagMs: 12, grade: "right" };
  const early = { ...step, reported: "line", grade: "early" };
  const results = [
    {
      name: "a|b",
      kind: "repl",
      trials: [
        { grade: "right", steps: [step] },
        { grade: "early", steps: [early] },
      ],
    },
  ];
  const entry = { name: "a|b", kind: "repl", why: "Nobody knows.", steps: [{ waits: "key" }] };

  const page = programsPage({ results, entries: [entry], skipped: [{ entry, missing: ["x"] }], trials: 2 });

  expect(page).toContain("1 programs, 2 trials each, 2 waits.");
  expect(page).toMatch(/\| all +\| 1 +\| 0 +\| 0 +\| 1 +\| 0 +\|/);
  expect(page).toMatch(/\| key +\| 1 +\| +\| 1 +\|/);
  expect(page).toMatch(/\| a\\\|b +\| key +\| early \(1 of 2\) +\| 12 ms +\|/);
  expect(page).toMatch(/\| a\\\|b +\| Nobody knows\. +\|/);
});
