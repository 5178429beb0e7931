/**
 * `npm run test:clients`: drives agent clients as people use them, with a model of ours on loopback. Clients whose
 * packages cannot be installed are skipped. `npm run test:clients codex claude` tests only these, and
 * `npm run test:clients codex http` only this.
 */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { clients } from "./clients/clients.mjs";
import { fetchClient } from "./clients/fetch-clients.mjs";
import { CLAIMS, tests } from "./clients/test-client.mjs";
import { build, Counts, report } from "./run.mjs";
import { endWatch, startWatch, watchedEnv } from "./tests/leftovers.mjs";

/** A client takes a whole processor while it starts. */
const AT_ONCE = 2;

const asked = process.argv.slice(2);
const chosen = (all) => (all.some((name) => asked.includes(name)) ? all.filter((name) => asked.includes(name)) : all);
const names = chosen(Object.keys(clients));
const testNames = chosen(Object.keys(tests));
const counts = new Counts();
if ((await build()).ok) await testAll();
else counts.fail("the build");
report(counts);

async function testAll() {
  const watch = startWatch();
  const jobs = [];
  for (const name of names) {
    const command = await fetchClient(name);
    if (command) jobs.push(...testNames.map((test) => ({ name, test, command })));
    else skip(name);
  }
  // These tests only wait, which takes time but no processor: they start first, and run beside the others.
  const waits = jobs.filter(({ test }) => test === "wait").map((job) => perform(job, watch));
  // In reverse order, so that the slowest client, which is the last one, does not start last.
  const others = jobs.filter(({ test }) => test !== "wait").reverse();
  const lanes = Array.from({ length: AT_ONCE }, async () => {
    for (let job = others.shift(); job; job = others.shift()) await perform(job, watch);
  });
  await Promise.all([...waits, ...lanes]);
  counts.fail(...(await endWatch(watch)));
}

function skip(name) {
  console.log(`skipped: ${name}, ${CLAIMS} claims`);
  counts.skipped += CLAIMS;
}

async function perform({ name, test, command }, watch) {
  const directory = join(watch.tmp, `${name}-${test}`);
  mkdirSync(directory);
  const startedMs = Date.now();
  const { claims, refused } = await tests[test]({ name, command, directory, env: watchedEnv(watch) });
  for (const { claim, problem } of claims) {
    console.log(`${problem === "" ? "passed" : "FAILED"}: ${name}: ${claim}${problem === "" ? "" : `: ${problem}`}`);
    if (problem === "") counts.pass();
    else counts.fail(`${name}: ${claim}`);
  }
  const elsewhere = refused.length > 0 ? `; kept from reaching ${[...new Set(refused)].join(", ")}` : "";
  console.log(`… ${name}, ${test}: ${Math.round((Date.now() - startedMs) / 1000)} s${elsewhere}`);
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
}
