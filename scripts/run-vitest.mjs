/** One run of Vitest with its counts and the check that it left nothing behind. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { endWatch, startWatch, watchedEnv } from "./leftovers.mjs";
import { bin, root, run } from "./run.mjs";

const limitMs = 20 * 60_000;
const longLimitMs = 3 * 60 * 60_000;

/** Resolves to the counts; each leftover, and each failure that is no test's, is one more failed. */
export async function runVitest(title, { node = process.execPath, args = [], isLong = false, missing = [] } = {}) {
  const watch = startWatch();
  const reportFile = join(watch.dir, "report.json");
  const command = [node, bin("vitest", "vitest.mjs"), "run"];
  command.push("--reporter=default", "--reporter=json", `--outputFile.json=${reportFile}`);
  if (hasTypeTests()) command.push("--typecheck");
  const env = watchedEnv(watch, {
    // A test that starts `node` means the one it runs under.
    PATH: `${dirname(node)}:${process.env.PATH}`,
    ...(isLong && { LIMPET_LONG: "1" }),
    ...(missing.length > 0 && { LIMPET_MISSING: missing.join(",") }),
  });

  const result = await run(title, [...command, ...args], { env, limitMs: isLong ? longLimitMs : limitMs });
  const counts = readCounts(reportFile);
  if (!result.ok && counts.failed === 0) {
    counts.failed = 1;
    console.error(`FAILED: ${title}: ${result.how}, though no test failed`);
  }
  counts.failed += await endWatch(watch);
  return counts;
}

function readCounts(file) {
  let report;
  try {
    report = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return { passed: 0, failed: 0, skipped: 0 };
  }
  // A file that cannot be loaded has failed without having a test.
  const unloaded = report.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0);
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

function hasTypeTests() {
  return ["src", "test"].some((folder) =>
    readdirSync(join(root, folder), { recursive: true }).some((name) => name.endsWith(".test-d.ts")),
  );
}
