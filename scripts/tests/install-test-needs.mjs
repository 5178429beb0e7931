/**
 * Installs the system programs that the tests need, listed in test/support/needs.json: only missing ones, from Debian
 * packages, as root or with a sudo that needs no password. It reports what it cannot install, and the tests that need
 * it are skipped; if CI is true, that is an error.
 */
import { spawnSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { isMain } from "../run.mjs";
import { isOnPath, missingNeeds, table } from "./missing-needs.mjs";

// A system update can take this long; a longer wait would look like a hang.
const lockedMs = 5 * 60_000;
const retryMs = 3_000;
const lockMessage = /could not get lock|unable to (?:lock|acquire)/i;

/**
 * Installs what is missing. Resolves with the commands that are still missing. Starts nothing if nothing is missing.
 */
export async function installTestNeeds() {
  const before = missingNeeds();
  if (before.length === 0) return [];
  await installPackages([...new Set(before.flatMap((command) => table[command].packages))]);
  const after = missingNeeds();
  for (const command of after) {
    const { packages, reason } = table[command];
    console.error(`missing: ${command} (${reason}). Install it; Debian's package is ${packages.join(" and ")}.`);
  }
  return after;
}

/** Installs Debian packages as far as that is possible: without the right to, nothing happens. */
export async function installPackages(packages) {
  const privilege = findPrivilege();
  if (privilege !== undefined && packages.length > 0) await install(privilege, packages);
}

/** Whether the tests may run without these commands. Prints the consequence. */
export function mayRunWithout(missing) {
  if (missing.length === 0) return true;
  if (process.env.CI === "true") {
    console.error("CI is true, so no test may be skipped. Install the programs listed above.");
    return false;
  }
  console.error(`Tests that need ${missing.join(", ")} are skipped.`);
  return true;
}

/** The prefix for apt-get; undefined if packages cannot be installed. */
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
  // If this release does not have one of the packages, apt installs none of them.
  for (const name of packages) {
    await aptGet(privilege, ["install", "-y", "--no-install-recommends", name], deadlineMs);
  }
}

/** Resolves with whether it succeeded. If another apt holds the lock, retries until the deadline. */
async function aptGet(privilege, args, deadlineMs) {
  // sudo drops the environment, so the settings are passed as arguments of env.
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
