/**
 * The tests closest to the platform under the other Nodes that we support. Their binaries come from npm packages that
 * carry them whole: the package `node` would fetch them in an install script.
 */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { installTestNeeds, mayRunWithout } from "./install-test-needs.mjs";
import { addCounts, build, report, root, run } from "./run.mjs";
import { runVitest } from "./run-vitest.mjs";

const versions = ["22.23.3", "24.21.0"];
const paths = ["test/contract", "src/session", "src/pty", "src/transport"];

const missing = installTestNeeds();
const isReady = mayRunWithout(missing) && (await build()).ok;
const counts = isReady ? [] : [{ failed: 1 }];
if (isReady) for (const version of versions) counts.push(await testUnder(version));
report(addCounts(counts));

async function testUnder(version) {
  const node = await fetchNode(version);
  if (node === undefined) return { failed: 1 };
  console.log(`== Node ${version}`);
  const args = process.argv.length > 2 ? process.argv.slice(2) : paths;
  return runVitest(`tests under Node ${version}`, { node, args, missing });
}

/** The path of the binary; undefined, with a word on stderr, where it cannot be had. */
async function fetchNode(version) {
  const prefix = join(root, ".cache", `node-${version}`);
  const name = `node-linux-${process.arch}`;
  const node = join(prefix, "node_modules", name, "bin", "node");
  if (!existsSync(node)) {
    console.log(`fetching Node ${version}`);
    mkdirSync(prefix, { recursive: true });
    const flags = ["--prefix", prefix, "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"];
    await run(`fetching Node ${version}`, ["npm", "install", ...flags, `${name}@${version}`]);
  }
  const probe = await run("probe", [node, "--version"], { capture: true });
  if (probe.output.trim() === `v${version}`) return node;
  console.error(`FAILED: no Node ${version} from ${name}: ${probe.how || probe.output}`);
  return undefined;
}
