/** Prints the sum of the counts that the steps of `.ci/run` wrote to the file LIMPET_COUNTS. */
import { readFileSync } from "node:fs";
import { addCounts, report } from "../run.mjs";

const lines = readFileSync(String(process.env.LIMPET_COUNTS), "utf8").split("\n").filter(Boolean);
const total = addCounts(lines.map((line) => JSON.parse(line)));
// A run without any test has failed.
report(total.passed === 0 && total.failed === 0 ? { ...total, failed: 1 } : total);
