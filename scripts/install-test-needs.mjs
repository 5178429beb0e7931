/**
 * Installs what the tests need from the system, as test/support/needs.json lists it: only what is missing, with
 * Debian's packages, as root or with a sudo that asks for nothing. What it cannot install it names, and the tests that
 * need it are skipped; where CI is true that is an error instead.
 */
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isMain } from "./run.mjs";

const table = JSON.parse(readFileSync(new URL("../test/support/needs.json", import.meta.url), "utf8"));

// Servers such as sshd lie where an ordinary user's PATH does not look.
const folders = [...(process.env.PATH ?? "").split(":"), "/usr/local/sbin", "/usr/sbin", "/sbin"].filter(Boolean);

/** Installs what is missing, and gives back the commands that still are. */
export function installTestNeeds() {
  const before = missingNeeds();
  if (before.length === 0) return [];
  const packages = [...new Set(before.flatMap((command) => table[command].packages))];
  const privilege = findPrivilege();
  if (privilege !== undefined) install(privilege, packages);

  const after = privilege === undefined ? before : missingNeeds();
  for (const command of after) {
    const { packages, reason } = table[command];
    console.error(`missing: ${command} (${reason}). Install the Debian package ${packages.join(" and ")}.`);
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

function missingNeeds() {
  return Object.keys(table).filter((command) => {
    const { file } = table[command];
    return !isOnPath(command) || (file !== undefined && !existsSync(file));
  });
}

function isOnPath(command) {
  return folders.some((folder) => {
    try {
      accessSync(join(folder, command), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** What to put before apt-get; undefined where we cannot install. */
function findPrivilege() {
  if (!isOnPath("apt-get")) return undefined;
  if (process.getuid?.() === 0) return [];
  return spawnSync("sudo", ["-n", "true"], { stdio: "ignore" }).status === 0 ? ["sudo", "-n"] : undefined;
}

function install(privilege, packages) {
  console.log(`installing for the tests: ${packages.join(" ")}`);
  aptGet(privilege, ["update"]);
  if (aptGet(privilege, ["install", "-y", "--no-install-recommends", ...packages])) return;
  // One package that this release does not know makes apt refuse them all.
  for (const name of packages) aptGet(privilege, ["install", "-y", "--no-install-recommends", name]);
}

function aptGet(privilege, args) {
  // sudo drops our environment, so the setting travels as an argument of env.
  const [program, ...rest] = [...privilege, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", ...args];
  return spawnSync(program, rest, { stdio: ["ignore", "inherit", "inherit"] }).status === 0;
}

if (isMain(import.meta.url)) process.exitCode = mayRunWithout(installTestNeeds()) ? 0 : 1;
