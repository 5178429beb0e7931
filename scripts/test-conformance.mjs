/**
 * `npm run test:conformance`: the MCP conformance tests that apply to our server, in both protocols. docs/mcp.md lists
 * the tests that do not apply. `npm run test:conformance ping` runs only this one.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBridge } from "./conformance/bridge.mjs";
import { fetchMcpTools } from "./mcp-tools.mjs";
import { build, Counts, report, run } from "./run.mjs";

const [BEFORE_2026, SINCE_2026] = ["2025-11-25", "2026-07-28"];

/** `without`: checks that need tools which a server would have only for these tests. They must fail. */
const SCENARIOS = [
  ...[
    "server-initialize",
    "server-session-lifecycle",
    "logging-set-level",
    "ping",
    "tools-list",
    "resources-list",
    "prompts-list",
  ].map((name) => ({ name, version: BEFORE_2026 })),
  {
    name: "server-stateless",
    version: SINCE_2026,
    without: [
      "sep-2575-server-rejects-undeclared-capability",
      "sep-2575-missing-capability-http-400",
      "sep-2575-http-server-no-independent-requests-on-stream",
      "sep-2575-server-no-log-without-loglevel",
    ],
  },
  { name: "caching", version: SINCE_2026 },
  ...[
    "tools-list",
    "resources-list",
    "prompts-list",
    "sep-2164-resource-not-found",
    "input-required-result-unsupported-methods",
  ].map((name) => ({ name, version: SINCE_2026 })),
];

const tools = (await build()).ok ? await fetchMcpTools() : undefined;
const counts = new Counts();
if (tools) await testAll();
else counts.fail("the build");
report(counts);

async function testAll() {
  const asked = process.argv.slice(2);
  const bridge = await startBridge();
  for (const scenario of SCENARIOS.filter(({ name }) => asked.length === 0 || asked.includes(name))) {
    const { passed, problems } = await test(scenario, bridge.url);
    const title = `${scenario.version} ${scenario.name}`;
    if (problems.length === 0) console.log(`passed: ${title}, ${passed} checks`);
    else console.log(`FAILED: ${title}\n  ${problems.join("\n  ")}`);
    if (problems.length === 0) counts.pass();
    else counts.fail(title);
  }
  bridge.close();
}

async function test({ name, version, without = [] }, url) {
  const results = mkdtempSync(join(tmpdir(), "limpet-conformance-"));
  const flags = ["--url", url, "--scenario", name, "--spec-version", version, "-o", results];
  const command = [tools.node, tools.conformance, "server", ...flags];
  const { output } = await run(`conformance ${name}`, command, { capture: true, limitMs: 120_000 });
  const checks = readdirSync(results).flatMap((folder) =>
    JSON.parse(readFileSync(join(results, folder, "checks.json"), "utf8")),
  );
  rmSync(results, { recursive: true });
  if (checks.length === 0) return { passed: 0, problems: [output] };
  const failed = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
  const unexpected = failed.filter(({ id }) => !without.includes(id));
  const stale = without.filter((id) => !failed.some((check) => check.id === id));
  return {
    passed: checks.filter(({ status }) => status === "SUCCESS").length,
    problems: [
      ...unexpected.map(({ id, errorMessage }) => `${id}: ${errorMessage}`),
      ...stale.map((id) => `${id} is expected to fail, and does not`),
    ],
  };
}
