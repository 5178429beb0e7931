import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
// @ts-expect-error A script without types.
import { barChart } from "../../bench/peers/report/bar-chart.mjs";
// @ts-expect-error A script without types.
import { summarize } from "../../bench/peers/report/summarize.mjs";
// @ts-expect-error A script without types.
import { jobs } from "../../bench/peers/tasks/jobs.mjs";
// @ts-expect-error A script without types.
import { works } from "../../bench/peers/works.mjs";
// @ts-expect-error A script without types.
import { parseCalls } from "../../scripts/docs/calls.mjs";
// @ts-expect-error A script without types.
import { renderPage } from "../../scripts/docs/render-page.mjs";
// @ts-expect-error A script without types.
import { searchIndex } from "../../scripts/docs/search-index.mjs";

const metrics = { ms: { title: "echo", unit: "ms", better: "less" } };
const contender = (name: string, more: object = {}): object => ({ name, title: name, ...more });
const samples = (...values: number[]): object => ({ samples: values.map((ms) => ({ ms })) });

function raw(results: object): object {
  const contenders = [
    contender("c", { isFloor: true }),
    contender("limpet", { isOurs: true }),
    contender("other"),
    contender("gone", { absent: "cannot be installed" }),
  ];
  return { contenders, works: { echo: results } };
}

test("a block of calls is read as tools, arguments and parts of answers", () => {
  const code = 'run {"command": "echo hi",\n  "timeout_ms": 5}\n→ hi\n→ code 0\nlist_sessions {}';

  expect(parseCalls(code)).toEqual([
    { tool: "run", args: { command: "echo hi", timeout_ms: 5 }, expect: ["hi", "code 0"] },
    { tool: "list_sessions", args: {}, expect: [] },
  ]);
});

test("a line that is no call is refused", () => {
  expect(() => parseCalls("please run it")).toThrow("not a call: please run it");
});

test("the median counts, and an absent contender is not in the row", () => {
  const { rows, notFirst } = summarize(raw({ limpet: samples(3, 1, 2), other: samples(9, 8) }), [
    { name: "echo", metrics },
  ]);

  expect(rows[0].cells.map(({ name, text }: { name: string; text: string }) => [name, text])).toEqual([
    ["limpet", "2 ms"],
    ["other", "9 ms"],
  ]);
  expect(notFirst).toEqual([]);
});

test("a row in which another one is first is named; the floor is not ranked", () => {
  const results = { c: samples(0.5), limpet: samples(2), other: samples(1) };

  const { notFirst } = summarize(raw(results), [{ name: "echo", metrics }]);

  expect(notFirst).toMatchObject([{ title: "echo", ours: "2 ms", best: "1 ms", by: "other" }]);
});

test("a contender that fails is shown as failed, with the reason", () => {
  const results = { limpet: samples(2), other: { samples: [], failure: "no end within 60 s" } };

  const { rows } = summarize(raw(results), [{ name: "echo", metrics }]);

  expect(rows[0].cells[1]).toMatchObject({ name: "other", text: "failed", why: "no end within 60 s" });
});

test("calls for jobs are compared job by job, and only for those that both have done", () => {
  const did = (each: object) => ({ samples: [{ done: 2, each }] });
  const limpet = did({ one: { calls: 1, tokens: 10 }, two: { calls: 2, tokens: 10 }, hard: { calls: 9, tokens: 900 } });
  const other = did({ one: { calls: 4, tokens: 20 }, two: { calls: 2, tokens: 10 } });

  const { rows } = summarize({ ...raw({}), works: { jobs: { limpet, other } } }, [jobs]);

  expect(rows.map(({ cells }: { cells: { text: string }[] }) => cells.map(({ text }) => text))).toEqual([
    ["2 of 20", "2 of 20"],
    ["1 ×", "2 ×"],
    ["1 ×", "1.4 ×"],
  ]);
});

test("each row of the comparison has a reason for the case that limpet is not first in it", () => {
  const reasons = JSON.parse(readFileSync("bench/peers/report/reasons.json", "utf8"));
  const rows = works.flatMap(({ name, metrics }: { name: string; metrics: Record<string, { isAside?: boolean }> }) =>
    Object.keys(metrics).flatMap((key) => (metrics[key]?.isAside ? [] : [`${name}.${key}`])),
  );

  expect(Object.keys(reasons).toSorted()).toEqual(rows.toSorted());
});

test("a chart has a bar for each figure, and escapes what it shows", () => {
  const svg = barChart({ title: "a & b", better: "less", cells: [{ title: "<x>", text: "1 ms", median: 1 }] });

  expect(svg).toContain("a &amp; b (less is better)");
  expect(svg).toContain("&lt;x>");
  expect(svg.match(/<rect/g)).toHaveLength(1);
});

test("a page has the anchors that GitHub gives its headings, and its links lead into the site", () => {
  const page = renderPage("# The `title`\n\nSee [it](other.md#x).\n\n## The title\n", (target: string) =>
    target.replace(".md", ".html"),
  );

  expect(page.ids).toEqual(["the-title", "the-title-1"]);
  expect(page.html).toContain('<h2 id="the-title-1">');
  expect(page.links).toEqual(["other.html#x"]);
});

test("the search knows each section by its words, once", () => {
  const page = renderPage("# One\n\nword word other\n", (target: string) => target);

  expect(searchIndex([{ name: "one.html", ...page }])).toEqual([
    ["one.html#one", "One", "One", "word word other", "one word other"],
  ]);
});
