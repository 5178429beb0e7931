/**
 * Installs what programs of the zoo need: Debian packages on the machine, npm packages below .cache. What cannot be
 * installed is reported, and the programs that need it are skipped.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, run } from "../../scripts/run.mjs";
import { installPackages } from "../../scripts/tests/install-test-needs.mjs";
import { isOnPath } from "../../scripts/tests/missing-needs.mjs";

const PREFIX = join(root, ".cache", "zoo");
/** Where Debian puts games. */
const GAMES = "/usr/games";
/** Packages that bring a module, not the command that needs it. */
const MODULE = /^python3-/;

/** Resolves with the programs that can run, those that cannot with what they lack, and the folder of npm's packages. */
export async function installZoo(entries) {
  const lacking = entries.flatMap((entry) => missingOf(entry));
  await installPackages([...new Set(lacking.map(([, name]) => name))]);
  const modules = join(PREFIX, "node_modules");
  const specs = [...new Set(entries.flatMap(({ npm = [] }) => npm))].filter((spec) => !isFetched(modules, spec));
  if (specs.length > 0) await fetch(specs);
  const lacks = (entry) => [
    ...missingOf(entry).map(([command]) => command),
    ...(entry.npm ?? []).filter((spec) => !isFetched(modules, spec)),
  ];
  const skipped = entries.flatMap((entry) => {
    const missing = lacks(entry);
    return missing.length > 0 ? [{ entry, missing }] : [];
  });
  const without = new Set(skipped.map(({ entry }) => entry));
  return { ready: entries.filter((entry) => !without.has(entry)), skipped, modules };
}

/** The commands of an entry that do not exist, each with its Debian package. */
function missingOf({ needs = {} }) {
  return Object.entries(needs).filter(([command, name]) => !isThere(command) || (MODULE.test(name) && !isKnown(name)));
}

function isThere(command) {
  return isOnPath(command) || existsSync(join(GAMES, command));
}

/** Whether Debian's package manager has installed it. */
function isKnown(name) {
  return spawnSync("dpkg", ["-s", name], { stdio: "ignore" }).status === 0;
}

function isFetched(modules, spec) {
  return existsSync(join(modules, spec.replace(/(?<=.)@[^@/]*$/, "")));
}

/** All at once, so that one version of a shared dependency fits all. */
async function fetch(specs) {
  mkdirSync(PREFIX, { recursive: true });
  const manifest = join(PREFIX, "package.json");
  if (!existsSync(manifest)) writeFileSync(manifest, '{ "private": true }\n');
  await run("fetching npm packages", ["npm", "install", "--prefix", PREFIX, "--no-audit", "--no-fund", ...specs]);
}
