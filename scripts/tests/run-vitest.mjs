/** Runs Vitest once, counts its tests, and checks that it left nothing behind. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { bin, root, run } from "../run.mjs";
import { endWatch, startWatch, watchedEnv } from "./leftovers.mjs";

const limitMs = 20 * 60_000;
const longLimitMs = 3 * 60 * 60_000;

/** Resolves with the counts. Each leftover, and each failure outside of a test, counts as failed. */
export async function runVitest(title, { node = process.execPath, args = [], isLong = false } = {}) {
  const watch = startWatch();
  const reportFile = join(watch.dir, "report.json");
  const failuresFile = join(watch.dir, "failures");
  const lacksFile = join(watch.dir, "lacks");
  const command = [node, bin("vitest", "vitest.mjs"), "run"];
  command.push("--reporter=default", "--reporter=json", `--outputFile.json=${reportFile}`);
  command.push(`--reporter=${join(root, "scripts", "tests", "failure-reporter.mjs")}`);
  if (hasTypeTests()) command.push("--typecheck");
  const env = watchedEnv(watch, {
    // Tests that start `node` expect the version they run under.
    PATH: `${dirname(node)}:${process.env.PATH}`,
    ...(isLong && { LIMPET_LONG: "1" }),
    LIMPET_FAILURES: failuresFile,
    LIMPET_LACKS: lacksFile,
    LIMPET_MODULE_CACHE: join(watch.dir, "modules"),
    // No test connects to a public server, and with all certificates to read, Node takes more than twice as long to start.
    NODE_EXTRA_CA_CERTS: undefined,
  });

  const result = await run(title, [...command, ...args], { env, limitMs: isLong ? longLimitMs : limitMs });
  const files = readReport(reportFile);
  const counts = countTests(files);
  const outside = !result.ok && counts.failed === 0 ? [`${title}: ${result.how}, although no test failed`] : [];
  printSlowest(files);
  printLacks(lacksFile, counts.skipped);
  const failedTests = readFailures(failuresFile);
  const leftovers = await endWatch(watch);
  const failures = [...failedTests, ...outside, ...leftovers];
  return { ...counts, failed: counts.failed + outside.length + leftovers.length, failures };
}

/** The files of a run; empty if there is no report. */
function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).testResults;
  } catch {
    return [];
  }
}

function countTests(files) {
  const tests = files.flatMap(({ assertionResults }) => assertionResults);
  // A file that cannot be loaded has failed without a test.
  const unloaded = files.filter(({ status, assertionResults }) => status === "failed" && assertionResults.length === 0);
  const count = (...states) => tests.filter(({ status }) => states.includes(status)).length;
  return {
    passed: count("passed"),
    failed: count("failed") + unloaded.length,
    skipped: count("skipped", "pending", "todo", "disabled"),
  };
}

/** Each failure in one line, as the reporter wrote them. */
function readFailures(path) {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}

function printSlowest(files) {
  const took = files.map(({ name, startTime, endTime }) => ({ name: relative(root, name), ms: endTime - startTime }));
  const slowest = took.sort((one, other) => other.ms - one.ms).slice(0, 10);
  console.log(`slowest of ${files.length} files:`);
  for (const { name, ms } of slowest) console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${name}`);
}

function printLacks(path, skipped) {
  if (!existsSync(path)) return;
  const lacks = [...new Set(readFileSync(path, "utf8").split("\n").filter(Boolean))].sort();
  console.log(`${skipped} tests skipped, because these are missing: ${lacks.join(", ")}`);
}

function hasTypeTests() {
  return ["src", "test"].some((folder) =>
    readdirSync(join(root, folder), { recursive: true }).some((name) => name.endsWith(".test-d.ts")),
  );
}
