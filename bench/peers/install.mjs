/**
 * Fetches contenders from npm into a directory of the bench. All dependencies are those of one day, so that two runs
 * compare the same programs. Only packages that compile a binding run their install scripts.
 */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../scripts/run.mjs";

/** The newest day for dependencies. A package that is newer, and has none, names its own. */
const BEFORE = "2026-10-01";
const LIMIT_MS = 4 * 60_000;

/** `{ modules, version, file }`, or `{ why }` if it cannot be installed. `entry` is a path from the package. */
export async function install({ spec, scripts = false, entry, before = BEFORE }, directory) {
  const name = spec.slice(0, spec.lastIndexOf("@"));
  const prefix = join(directory, spec.replace(/[@/]+/g, "-").replace(/^-/, ""));
  const modules = join(prefix, "node_modules");
  const isThere = () => existsSync(join(modules, name, entry));
  if (!isThere()) {
    mkdirSync(prefix, { recursive: true });
    const flags = ["--no-save", "--no-audit", "--no-fund", "--logs-max=0", `--before=${before}`];
    const command = ["npm", "install", "--prefix", prefix, ...flags, ...(scripts ? [] : ["--ignore-scripts"]), spec];
    const { output, how } = await run(`fetching ${spec}`, command, { capture: true, limitMs: LIMIT_MS });
    if (!isThere()) return { why: reasonIn(output) ?? how ?? "unknown reason" };
  }
  const { version } = JSON.parse(readFileSync(join(modules, name, "package.json"), "utf8"));
  return { modules, version: `${version}${noteIn(prefix)}`, file: join(modules, name, entry) };
}

/** The note about the origin of a package that npm cannot fetch and somebody has put there. */
function noteIn(prefix) {
  const file = join(prefix, "NOTE");
  return existsSync(file) ? ` (${readFileSync(file, "utf8").trim()})` : "";
}

function reasonIn(output) {
  if (/^npm error code E404/m.test(output)) return "the registry does not have it";
  const lines = [...output.matchAll(/^npm error (?!code|A complete log)(.*\S)/gm)].map(([, line]) => line);
  // The address of the registry is not a property of the package.
  return lines[0]?.replace(/https?:\/\/\S+/g, "the registry");
}
