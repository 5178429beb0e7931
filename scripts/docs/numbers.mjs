/**
 * Numbers in the documents that were measured: `<!--= echo.ms codex -->126 ms<!--/-->` is the figure of Codex in the
 * row `echo.ms` of bench/results/peers.json, and `codex/limpet` the ratio of two. `npm run numbers` fills them in, and
 * `npm run test:docs` compares. So no document can go stale.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { number, summarize } from "../../bench/peers/report/summarize.mjs";
import { works } from "../../bench/peers/works.mjs";
import { root } from "../run.mjs";

const MARK = /<!--= (\S+) (\S+) -->[^<]*<!--\/-->/g;
const RESULTS = join(root, "bench/results/peers.json");

/** The documents with their numbers filled in: `[{ path, text, filled }]`. */
export function filledPages() {
  const pages = ["README.md", ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`)];
  const figures = existsSync(RESULTS) ? rowsByName() : new Map();
  return pages
    .filter((path) => path.endsWith(".md"))
    .map((path) => {
      const text = readFileSync(join(root, path), "utf8");
      return { path, text, filled: fill(text, figures) };
    });
}

/** Pure. `figures`: cells by the name of their row. */
function fill(text, figures) {
  return text.replaceAll(MARK, (_, row, who) => `<!--= ${row} ${who} -->${figure(figures.get(row), who)}<!--/-->`);
}

function figure(cells = [], who) {
  const [of, against] = who.split("/").map((name) => cells.find((cell) => cell.name === name));
  if (of?.median === undefined) return of?.text ?? "–";
  if (!who.includes("/")) return of.text;
  return against?.median ? `${number(of.median / against.median)} ×` : "–";
}

function rowsByName() {
  const { rows } = summarize(JSON.parse(readFileSync(RESULTS, "utf8")), works);
  return new Map(rows.map(({ work, key, cells }) => [`${work}.${key}`, cells]));
}

export function writeNumbers() {
  for (const { path, text, filled } of filledPages()) if (filled !== text) writeFileSync(join(root, path), filled);
}
