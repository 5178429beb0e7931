/**
 * Runs the tests closest to the platform under the other supported versions of Node. The binaries come from npm
 * packages that contain them; the package `node` would download them in an install script.
 */

import { addCounts, build, report } from "./run.mjs";
import { fetchNode, OTHER_NODES } from "./tests/fetch-node.mjs";
import { installTestNeeds, mayRunWithout } from "./tests/install-test-needs.mjs";
import { runVitest } from "./tests/run-vitest.mjs";

const paths = ["test/contract", "src/session", "src/journal", "src/linux", "src/pty", "src/probe", "src/transport"];

const isReady = mayRunWithout(await installTestNeeds()) && (await build()).ok;
const counts = isReady ? [] : [{ failed: 1 }];
if (isReady) for (const version of OTHER_NODES) counts.push(await testUnder(version));
report(addCounts(counts));

async function testUnder(version) {
  const node = await fetchNode(version);
  if (node === undefined) return { failed: 1 };
  console.log(`== Node ${version}`);
  const args = process.argv.length > 2 ? process.argv.slice(2) : paths;
  return runVitest(`tests under Node ${version}`, { node, args });
}
