/** `npm test`: installs what the tests need, builds, runs the tests, and checks that nothing is left behind. */

import { build, report } from "./run.mjs";
import { installTestNeeds, mayRunWithout } from "./tests/install-test-needs.mjs";
import { runVitest } from "./tests/run-vitest.mjs";

const args = process.argv.slice(2).filter((arg) => arg !== "--long");
const isLong = process.argv.includes("--long");

report(await test());

async function test() {
  const failed = { passed: 0, failed: 1, skipped: 0 };
  if (!mayRunWithout(await installTestNeeds())) return failed;
  const built = await build();
  if (!built.ok) {
    console.error(`FAILED: the build: ${built.how}`);
    return failed;
  }
  return runVitest("tests", { args, isLong });
}
