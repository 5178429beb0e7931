/** Fetches other versions of Node from npm packages that contain the binaries. */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { root, run } from "../run.mjs";

/** The versions that limpet supports beside the oldest one, which runs the tests themselves. */
export const OTHER_NODES = ["22.23.3", "24.21.0"];

/** The path of the binary; undefined, with a message on stderr, if it cannot be fetched. */
export async function fetchNode(version) {
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
  console.error(`FAILED: could not fetch Node ${version} from ${name}: ${probe.how || probe.output}`);
  return undefined;
}
