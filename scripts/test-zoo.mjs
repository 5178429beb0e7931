/**
 * `npm run test:zoo`: installs the programs of test/zoo, drives each of them three times, grades every wait, and writes
 * docs/programs.md. `npm run test:zoo -- vim ssh` drives the programs with these names, and writes nothing; with
 * `--page` it replaces their rows in the page of the last whole run. `kind:relay` names a whole kind, `--trials=1` the
 * number of trials. What was found is in bench/results/zoo.json.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { counted, writeFigures } from "../bench/write-figures.mjs";
import { installZoo } from "../test/zoo/install.mjs";
import { Places } from "../test/zoo/places/places.mjs";
import { programsPage } from "../test/zoo/report.mjs";
import { runZoo } from "../test/zoo/run-zoo.mjs";
import { table } from "../test/zoo/table.mjs";
import { build, Counts, report, root } from "./run.mjs";
import { endWatch, startWatch } from "./tests/leftovers.mjs";

/** Programs that start take a whole processor each. */
const AT_ONCE = 2;
const TRIALS = 3;
/** Some programs cannot be judged in time. If more than this share is late, the run fails. */
const MOST_LATE = 0.05;

const args = process.argv.slice(2);
const names = args.filter((arg) => !arg.startsWith("--"));
const trials = Number(args.find((arg) => arg.startsWith("--trials="))?.slice("--trials=".length) ?? TRIALS);
const entries = table.filter(
  ({ name, kind }) => names.length === 0 || names.includes(name) || names.includes(`kind:${kind}`),
);

const lastRun = join(root, "bench/results/zoo.json");

const counts = new Counts();
if ((await build()).ok) await testAll();
else counts.fail("the build");
report(counts);

async function testAll() {
  const { ready, skipped, modules } = await installZoo(entries);
  for (const { entry, missing } of skipped) console.log(`skipped: ${entry.name}, without ${missing.join(", ")}`);
  const results = await drive(ready, modules);
  count(ready, results);
  counts.skipped += skipped.length;
  if (names.length > 0 && !args.includes("--page")) return;
  const all = names.length === 0 ? { results, skipped } : withNew(JSON.parse(readFileSync(lastRun, "utf8")), results);
  writeFigures("zoo", { programs: counted(all.results.length) }, { trials, ...summary(all) });
  writeFileSync(join(root, "docs", "programs.md"), programsPage({ ...all, entries: table, trials }));
}

/** What the page shows of a run. */
function summary({ results, skipped }) {
  const step = ({ expected, reported, lagMs }) => ({ expected, reported, lagMs });
  const trial = ({ grade, steps }) => ({ grade, steps: steps.map(step) });
  return { results: results.map((result) => ({ ...result, trials: result.trials.map(trial) })), skipped };
}

/** The last whole run, with the new results of some programs. */
function withNew({ results, skipped }, newer) {
  const byName = new Map(newer.map((result) => [result.name, result]));
  return { results: results.map((result) => byName.get(result.name) ?? result), skipped };
}

async function drive(ready, modules) {
  const limpet = {
    ...(await import("../dist/entries/session.js")),
    ...(await import("../dist/entries/screen.js")),
  };
  const watch = startWatch();
  const folder = join(watch.tmp, "zoo");
  mkdirSync(folder);
  const places = new Places(folder);
  try {
    return await runZoo(ready, { limpet, folder, places, modules, trials, atOnce: AT_ONCE, onTrial: print });
  } finally {
    await places.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    counts.fail(...(await endWatch(watch)));
  }
}

function print({ name }, { grade, steps, error }) {
  const waits = steps.map(
    ({ reported, lagMs, grade: each }) => `${reported}${each === "right" ? "" : `(${each})`} ${lagMs}`,
  );
  console.log(`${grade.padEnd(6)} ${name}: ${waits.join(" | ")}`);
  if (error) console.log(`  ${error}`);
  for (const step of steps.filter((each) => each.grade !== "right")) {
    const { expected, reported, isShown, evidence = "", tail } = step;
    console.log(`  step ${step.step}: expected ${expected}, reported ${reported}, shown: ${isShown}. ${evidence}`);
    console.log(`  ${JSON.stringify(tail)}`);
  }
}

/** A program that is early or broken fails. One that is late fails if the table does not explain it. */
function count(ready, results) {
  const why = new Map(ready.map((entry) => [entry.name, entry.why]));
  const has = (result, ...grades) => result.trials.some(({ grade }) => grades.includes(grade));
  const late = results.filter((result) => has(result, "late"));
  for (const result of results) {
    const isFailed = has(result, "early", "broken") || (has(result, "late") && why.get(result.name) === undefined);
    if (isFailed) counts.fail(result.name);
    else counts.pass();
  }
  if (names.length === 0 && late.length > MOST_LATE * results.length) counts.fail("too many are late");
}
