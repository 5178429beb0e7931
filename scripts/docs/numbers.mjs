/**
 * Numbers in the documents that were measured: `<!--= echo.ms codex -->126 ms<!--/-->` is the figure of Codex in the
 * row `echo.ms` of bench/results/peers.json, and `codex/limpet` the ratio of two. Rows that begin with `place.` are in
 * places.json. `<!--= zoo programs -->` is the figure `programs` of zoo.json. `npm run numbers` fills them in, and `npm
 * run test:docs` compares. So no document can go stale.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { number, summarize } from "../../bench/peers/report/summarize.mjs";
import { resultsText } from "../../bench/peers/report/write-results.mjs";
import { works } from "../../bench/peers/works.mjs";
import { root } from "../run.mjs";

/** Not in code, where documents explain the mark. */
const MARK = /(?<!`)<!--= (\S+) (\S+) -->[^<]*<!--\/-->/g;
const RESULTS = join(root, "bench/results");
const [PEERS, PLACES] = ["peers", "places"].map((name) => join(RESULTS, `${name}.json`));
export const RESULTS_PAGE = join(root, "bench/RESULTS.md");
const OTHERS = ["README.md", "CONTRIBUTING.md"];
const BENCHMARK = /npm run (?:bench|test:zoo)/;

/** The documents with their numbers filled in: `[{ path, text, filled }]`. */
export function filledPages() {
  const pages = [...OTHERS, ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`)];
  const figures = new Map([...peerRows(), ...placeRows()]);
  return pages
    .filter((path) => path.endsWith(".md"))
    .map((path) => {
      const text = readFileSync(join(root, path), "utf8");
      return { path, text, filled: fill(text, figures) };
    });
}

function fill(text, figures) {
  return text.replaceAll(MARK, (_, row, who) => {
    const value = row.includes(".") ? figure(figures.get(row), who) : figureOf(row, who);
    return `<!--= ${row} ${who} -->${value}<!--/-->`;
  });
}

/** The figure of one of our own benchmarks. */
function figureOf(benchmark, name) {
  const { figures } = JSON.parse(readFileSync(join(RESULTS, `${benchmark}.json`), "utf8"));
  if (figures[name] === undefined) throw new Error(`bench/results/${benchmark}.json has no figure "${name}".`);
  return figures[name];
}

/**
 * Pure: the paragraphs that name a benchmark and contain digits that come from no results file. Digits in code and in
 * names do not count.
 */
export function looseNumbers(text) {
  const prose = text.replace(/^(```|~~~)[\s\S]*?^\1/gm, "").split(/\n\s*\n/);
  return prose
    .filter((paragraph) => BENCHMARK.test(paragraph) && !/^(?:\||#|<!--)/.test(paragraph))
    .filter((paragraph) => /(?<![\w-])\d/.test(paragraph.replaceAll(MARK, "").replace(/`[^`]*`|\([^)]*\)/g, "")));
}

function figure(cells = [], who) {
  const [of, against] = who.split("/").map((name) => cells.find((cell) => cell.name === name));
  if (of?.median === undefined) return of?.text ?? "–";
  if (!who.includes("/")) return of.text;
  return against?.median ? `${number(of.median / against.median)} ×` : "–";
}

function peerRows() {
  if (!existsSync(PEERS)) return [];
  const { rows } = summarize(JSON.parse(readFileSync(PEERS, "utf8")), works);
  return rows.map(({ work, key, cells }) => [`${work}.${key}`, cells]);
}

function placeRows() {
  return existsSync(PLACES) ? Object.entries(JSON.parse(readFileSync(PLACES, "utf8")).rows) : [];
}

/** The text of bench/RESULTS.md, from the raw figures of the last run. */
export function resultsOfPeers() {
  const raw = JSON.parse(readFileSync(PEERS, "utf8"));
  return resultsText({ raw, summary: summarize(raw, works) });
}

export function writeNumbers() {
  writeFileSync(RESULTS_PAGE, resultsOfPeers());
  for (const { path, text, filled } of filledPages()) if (filled !== text) writeFileSync(join(root, path), filled);
}
