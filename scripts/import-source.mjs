/**
 * A file of src/ with all that it imports, as modules of their own: for what the library does not export, or a second copy of
 * what it does.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { root } from "./run.mjs";

export async function importSource(path) {
  // Not in the temporary directory: from there, no package could be found.
  const cache = join(root, ".cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "source-"));
  try {
    const bundle = await rolldown({ input: join(root, "src", path), platform: "node", external: /^[^./]/ });
    const { output } = await bundle.write({ dir: folder, format: "esm", entryFileNames: "source.mjs" });
    await bundle.close();
    if (output.length > 1) throw new Error(`${path} is ${output.length} files, of which some would be missing later.`);
    return await import(pathToFileURL(join(folder, "source.mjs")).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
