/**
 * `npm run test:conformance`: all MCP conformance tests for servers, in both protocols, against our HTTP endpoint.
 * docs/mcp.md lists what does not pass. `npm run test:conformance ping` runs only this one.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fetchMcpTools } from "./mcp-tools.mjs";
import { Counts, report, root, run } from "./run.mjs";

const VERSIONS = ["2025-11-25", "2026-07-28"];

/** Of extensions that the server does not have. */
const EXTENSIONS = /^(tasks-|sep-2640-)/;

/** Checks that fail, and must, by protocol and scenario. No tool of limpet asks for its arguments in headers. */
const FAILING = {
  "2026-07-28 http-custom-header-server-validation": [
    "sep-2243-server-no-xmcp-tool",
    "sep-2243-server-decode-base64",
    "sep-2243-server-validate-param-match",
    "sep-2243-server-reject-invalid-param-chars",
    "sep-2243-server-reject-param-mismatch",
  ],
};

const tools = await fetchMcpTools();
const counts = new Counts();
if (tools) await testAll(process.argv.slice(2));
else counts.fail("fetching the tests");
report(counts);

async function testAll(asked) {
  const server = await startServer();
  for (const version of VERSIONS) {
    const checks = new Map();
    for (const name of asked.length === 0 ? [undefined] : asked) {
      for (const [scenario, found] of await runTests({ name, version }, server.url)) checks.set(scenario, found);
    }
    for (const [scenario, found] of checks) if (!EXTENSIONS.test(scenario)) judge(`${version} ${scenario}`, found);
    if (asked.length === 0 && checks.size === 0) counts.fail(`${version}: no test ran`);
  }
  await server.close();
}

/** Node of this version reads our sources as they are. */
async function startServer() {
  const command = ["--no-warnings", join(root, "scripts/conformance/server.mjs")];
  const child = spawn(tools.node, command, { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "exit");
  const [url] = await Promise.race([
    once(createInterface({ input: child.stdout }), "line"),
    ended.then(([code]) => Promise.reject(new Error(`The server ended with ${code}.`))),
  ]);
  return {
    url,
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}

/** The checks of each scenario that applies to the version; all scenarios without a name. */
async function runTests({ name, version }, url) {
  const results = mkdtempSync(join(tmpdir(), "limpet-conformance-"));
  const which = name === undefined ? ["--suite", "all"] : ["--scenario", name];
  const flags = ["--url", url, ...which, "--spec-version", version, "-o", results];
  const command = [tools.node, tools.conformance, "server", ...flags];
  const { output } = await run(`conformance ${version}`, command, { capture: true, limitMs: 600_000 });
  const found = readdirSync(results, { recursive: true })
    .filter((file) => file.endsWith("checks.json"))
    .map((file) => [scenarioOf(file), JSON.parse(readFileSync(join(results, file), "utf8"))]);
  rmSync(results, { recursive: true });
  if (found.length === 0) console.log(output);
  return found;
}

/** From a path such as `server-ping-2026-07-28T10-00-00-000Z/checks.json`. */
function scenarioOf(file) {
  return file.replace(/^.*?server-(.*)-\d{4}-\d\d-\d\dT.*$/, "$1");
}

function judge(title, checks) {
  const failed = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
  const expected = FAILING[title] ?? [];
  const problems = [
    ...failed.filter(({ id }) => !expected.includes(id)).map(({ id, errorMessage }) => `${id}: ${errorMessage}`),
    ...expected
      .filter((id) => !failed.some((check) => check.id === id))
      .map((id) => `${id} is expected to fail, and does not`),
  ];
  const count = (status) => checks.filter((check) => check.status === status).length;
  const skipped = count("SKIPPED") > 0 ? `, ${count("SKIPPED")} skipped` : "";
  if (problems.length === 0) console.log(`passed: ${title}, ${count("SUCCESS")} checks${skipped}`);
  else console.log(`FAILED: ${title}\n  ${problems.join("\n  ")}`);
  if (problems.length === 0) counts.pass();
  else counts.fail(title);
}
