/**
 * Third-party tools for testing MCP servers. They need a newer Node than the oldest supported one, and two hundred
 * packages. Both are kept in .cache, separate from our dependencies.
 */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { root, run } from "./run.mjs";
import { fetchNode } from "./tests/fetch-node.mjs";

const VERSIONS = { inspector: "2.12.0", conformance: "0.2.0-alpha.12" };
const NODE = "22.23.3";
// The versions are in the path, so that no other version is used by mistake.
const prefix = join(root, ".cache", `mcp-tools-${Object.values(VERSIONS).join("-")}`);
const modules = join(prefix, "node_modules", "@modelcontextprotocol");

export const server = [process.execPath, join(root, "dist/bin/main.js"), "mcp", "--in-process"];

/**
 * `{ node, inspector, conformance }`: the files to run; undefined, with a message on stderr, if they cannot be fetched.
 */
export async function fetchMcpTools() {
  const node = await fetchNode(NODE);
  const inspector = join(modules, "inspector/clients/launcher/build/index.js");
  const conformance = join(modules, "conformance/dist/index.js");
  if (!existsSync(inspector) || !existsSync(conformance)) {
    mkdirSync(prefix, { recursive: true });
    const packages = Object.entries(VERSIONS).map(([name, version]) => `@modelcontextprotocol/${name}@${version}`);
    const flags = ["--prefix", prefix, "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--force"];
    await run("fetching the MCP tools", ["npm", "install", ...flags, ...packages]);
  }
  if (node !== undefined && existsSync(inspector) && existsSync(conformance)) return { node, inspector, conformance };
  console.error("FAILED: could not fetch the MCP Inspector and the conformance tests.");
  return undefined;
}
