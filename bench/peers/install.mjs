/**
 * Fetches contenders from npm into a directory of the bench. All dependencies are those of one day, so that two runs
 * compare the same programs. Only packages that compile a binding run their install scripts.
 */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../scripts/run.mjs";

const BEFORE = "2026-10-01";
const LIMIT_MS = 4 * 60_000;

/** `{ modules, version }`, or `{ why }` if it cannot be installed. */
export async function install({ spec, scripts = false, entry }, directory) {
  const name = spec.slice(0, spec.lastIndexOf("@"));
  const prefix = join(directory, spec.replace(/[@/]+/g, "-").replace(/^-/, ""));
  const modules = join(prefix, "node_modules");
  const isThere = () => existsSync(join(modules, name, entry));
  if (!isThere()) {
    mkdirSync(prefix, { recursive: true });
    const flags = ["--no-save", "--no-audit", "--no-fund", "--logs-max=0", `--before=${BEFORE}`];
    const command = ["npm", "install", "--prefix", prefix, ...flags, ...(scripts ? [] : ["--ignore-scripts"]), spec];
    const { output, how } = await run(`fetching ${spec}`, command, { capture: true, limitMs: LIMIT_MS });
    if (!isThere()) return { why: reasonIn(output) ?? how ?? "unknown reason" };
  }
  const { version } = JSON.parse(readFileSync(join(modules, name, "package.json"), "utf8"));
  return { modules, version, file: join(modules, name, entry) };
}

function reasonIn(output) {
  const lines = [...output.matchAll(/^npm error (?!code|A complete log|404\s*$)(.*\S)/gm)].map(([, line]) => line);
  const [first] = lines;
  // The address of the registry says nothing about the package.
  return first?.replace(/https?:\/\/\S+/g, "the registry").replace(/^404\s+/, "");
}
