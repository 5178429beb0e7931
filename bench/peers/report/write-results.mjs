/** Writes RESULTS.md, and beside it results/ with the raw figures and one picture for each row of numbers. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { barChart } from "./bar-chart.mjs";
import { resultsPage } from "./results-page.mjs";

export function writeResults(directory, { raw, summary }) {
  const results = join(directory, "results");
  mkdirSync(results, { recursive: true });
  for (const name of readdirSync(results)) if (name.endsWith(".svg")) rmSync(join(results, name));
  for (const row of drawnRows(summary)) writeFileSync(join(results, `${nameOf(row)}.svg`), barChart(row));
  writeFileSync(join(results, "peers.json"), `${JSON.stringify(raw, undefined, 2)}\n`);
  writeFileSync(join(directory, "RESULTS.md"), resultsText({ raw, summary }));
}

/** Pure: the page of these figures. */
export function resultsText({ raw, summary }) {
  const charts = new Map(drawnRows(summary).map((row) => [nameOf(row), `results/${nameOf(row)}.svg`]));
  return resultsPage({ raw, summary, charts });
}

function drawnRows({ rows }) {
  const hasTwo = ({ cells }) => cells.filter(({ median }) => median !== undefined).length > 1;
  return rows.filter((row) => !row.words && !row.isAside && hasTwo(row));
}

function nameOf({ work, key }) {
  return `${work}-${key}`;
}
