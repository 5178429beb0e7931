/** A plugin for the bundle of the command line: puts the JSON schemas of the tools into it. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { root } from "./run.mjs";

const FILE = join(root, "src/tools/args/known-schemas.ts");

export async function knownSchemas() {
  const schemas = JSON.stringify(await schemasOfTools());
  return {
    name: "known-schemas",
    load: (id) => (id === FILE ? `export const KNOWN_SCHEMAS = JSON.parse(${JSON.stringify(schemas)});` : null),
  };
}

async function schemasOfTools() {
  // Not in the temporary directory: packages could not be resolved from there.
  const cache = join(root, ".cache");
  mkdirSync(cache, { recursive: true });
  const dir = mkdtempSync(join(cache, "tools-"));
  try {
    const bundle = await rolldown({
      input: join(root, "src/tools/profiles.ts"),
      platform: "node",
      external: /^[^./]/,
    });
    await bundle.write({ dir, format: "esm", entryFileNames: "tools.mjs", chunkFileNames: "[name]-[hash].mjs" });
    await bundle.close();
    const { profiles } = await import(pathToFileURL(join(dir, "tools.mjs")).href);
    return Object.fromEntries(profiles.all.tools.map(({ name, inputSchema }) => [name, inputSchema]));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
