/** Writes what a benchmark measured into bench/results, where the documents take their numbers from. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const RESULTS = join(import.meta.dirname, "results");

/** `figures`: by name, as the documents show them. `npm run numbers` writes them into the documents. */
export function writeFigures(name, figures, rest = {}) {
  mkdirSync(RESULTS, { recursive: true });
  const fields = { date: new Date().toISOString().slice(0, 10), figures, ...rest };
  // One line per field: readable, and small for the thousand waits of test:zoo.
  const lines = Object.entries(fields).map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  writeFileSync(join(RESULTS, `${name}.json`), `{\n${lines.join(",\n")}\n}\n`);
}

/** A whole number as the documents write it. */
export function counted(number) {
  return Math.round(number).toLocaleString("en-US");
}
