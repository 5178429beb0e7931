/**
 * Imports a file of src/ with everything it imports, as a separate module: for code that the library does not export,
 * or a second copy of it.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { root } from "./run.mjs";

export async function importSource(path) {
  // Not in the temporary directory: packages could not be resolved from there.
  const cache = join(root, ".cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "source-"));
  try {
    const bundle = await rolldown({ input: join(root, "src", path), platform: "node", external: /^[^./]/ });
    // What it imports later is in the same file, which is deleted at once.
    await bundle.write({ dir: folder, format: "esm", entryFileNames: "source.mjs", codeSplitting: false });
    await bundle.close();
    return await import(pathToFileURL(join(folder, "source.mjs")).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
