/** Writes RESULTS.md, and beside it results/ with the raw figures and one picture for each row of numbers. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { barChart } from "./bar-chart.mjs";
import { resultsPage } from "./results-page.mjs";

export function writeResults(directory, { raw, summary }) {
  const results = join(directory, "results");
  mkdirSync(results, { recursive: true });
  for (const name of readdirSync(results)) if (name.endsWith(".svg")) rmSync(join(results, name));
  const charts = new Map();
  for (const row of summary.rows) {
    if (row.words || row.isAside || row.cells.filter(({ median }) => median !== undefined).length < 2) continue;
    const name = `${row.work}-${row.key}`;
    writeFileSync(join(results, `${name}.svg`), barChart(row));
    charts.set(name, `results/${name}.svg`);
  }
  writeFileSync(join(results, "peers.json"), `${JSON.stringify(raw, undefined, 2)}\n`);
  writeFileSync(join(directory, "RESULTS.md"), resultsPage({ raw, summary, charts }));
}
