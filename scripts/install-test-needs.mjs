/**
 * Installs what the tests need from the system, as test/support/needs.json lists it: only what is missing, with
 * Debian's packages, as root or with a sudo that asks for nothing. What it cannot install it names, and the tests that
 * need it are skipped; where CI is true that is an error instead.
 */
import { spawnSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { isOnPath, missingNeeds, table } from "./missing-needs.mjs";
import { isMain } from "./run.mjs";

// An update of the whole system can take this long; a run that waits for longer looks hung.
const lockedMs = 5 * 60_000;
const retryMs = 3_000;
const lockMessage = /could not get lock|unable to (?:lock|acquire)/i;

/** Installs what is missing; resolves to the commands that still are. Starts nothing where nothing is missing. */
export async function installTestNeeds() {
  const before = missingNeeds();
  if (before.length === 0) return [];
  const packages = [...new Set(before.flatMap((command) => table[command].packages))];
  const privilege = findPrivilege();
  if (privilege !== undefined) await install(privilege, packages);

  const after = privilege === undefined ? before : missingNeeds();
  for (const command of after) {
    const { packages, reason } = table[command];
    console.error(`missing: ${command} (${reason}). Install it; Debian's package is ${packages.join(" and ")}.`);
  }
  return after;
}

/** Whether a run may go on without these commands; says what happens to it. */
export function mayRunWithout(missing) {
  if (missing.length === 0) return true;
  if (process.env.CI === "true") {
    console.error("CI is true, so no test may be skipped. Install what is named above.");
    return false;
  }
  console.error(`Tests that need ${missing.join(", ")} are skipped.`);
  return true;
}

/** What to put before apt-get; undefined where we cannot install. */
function findPrivilege() {
  if (!isOnPath("apt-get")) return undefined;
  if (process.getuid?.() === 0) return [];
  return spawnSync("sudo", ["-n", "true"], { stdio: "ignore" }).status === 0 ? ["sudo", "-n"] : undefined;
}

async function install(privilege, packages) {
  console.log(`installing for the tests: ${packages.join(" ")}`);
  const deadlineMs = Date.now() + lockedMs;
  await aptGet(privilege, ["update"], deadlineMs);
  if (await aptGet(privilege, ["install", "-y", "--no-install-recommends", ...packages], deadlineMs)) return;
  // One package that this release does not know makes apt refuse them all.
  for (const name of packages) {
    await aptGet(privilege, ["install", "-y", "--no-install-recommends", name], deadlineMs);
  }
}

/** Resolves to whether it did. Another apt holds a lock; until the deadline it is waited for. */
async function aptGet(privilege, args, deadlineMs) {
  // sudo drops our environment, so the settings travel as arguments of env.
  const settings = ["env", "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C"];
  const [program, ...rest] = [...privilege, ...settings, "apt-get", "-q", ...args];
  for (let tries = 1; ; tries += 1) {
    const { status, stderr } = spawnSync(program, rest, { stdio: ["ignore", "inherit", "pipe"], encoding: "utf8" });
    if (status === 0) return true;
    if (!lockMessage.test(stderr ?? "") || Date.now() > deadlineMs) {
      console.error(stderr);
      return false;
    }
    if (tries === 1)
      console.log(`apt is in use by another program; waiting for it, ${lockedMs / 60_000} minutes at most`);
    await sleep(retryMs);
  }
}

if (isMain(import.meta.url)) process.exitCode = mayRunWithout(await installTestNeeds()) ? 0 : 1;
